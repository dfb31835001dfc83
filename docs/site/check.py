"""Opens each page of the site in headless Chromium.

Usage: check.py SITE

On each page: no message on the console, no request to the network, no picture that is missing, and no link within the site that leads
nowhere. The search finds pages. `tests/browser/check.py` has the driver.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "browser"))
import check as browser  # noqa: E402

# The links of a page, the anchors to which links may lead, and its pictures without pixels.
CONTENT = """
const all = (selector) => [...document.querySelectorAll(selector)];
return {
  links: all("a[href]").map((link) => link.href),
  anchors: all("[id], a[name]").map((element) => element.id || element.name),
  broken: all("img").filter((image) => image.loading !== "lazy" && !(image.complete && image.naturalWidth)).map((image) => image.src),
};
"""


def inspect(session, page, site):
    """Opens a page, and returns its links and anchors."""
    name = str(page.relative_to(site))
    session.send("POST", "/url", {"url": page.as_uri()})
    content = session.run(CONTENT)
    browser.check(f"{name}: pictures", not content["broken"], " ".join(content["broken"]))
    messages = [entry["message"] for entry in session.log("browser")]
    browser.check(f"{name}: no message on the console", not messages, "; ".join(messages))
    events = [json.loads(entry["message"])["message"] for entry in session.log("performance")]
    sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    outside = [url for url in sent if not url.startswith(("file:", "data:", "blob:", "chrome:"))]
    browser.check(f"{name}: no request to the network", not outside, " ".join(outside))
    return content


def check_links(contents, site):
    """Follows the links of all pages. Returns their number."""
    anchors = {page: set(content["anchors"]) for page, content in contents.items()}
    count = 0
    for page, content in contents.items():
        for link in content["links"]:
            address, anchor = urldefrag(link)
            if urlparse(address).scheme != "file":
                continue
            count += 1
            target = Path(unquote(urlparse(address).path))
            name = f"{page.relative_to(site)}: {link}"
            browser.check(f"{name}: exists in the site", target.is_relative_to(site) and target.is_file())
            is_known = not anchor or unquote(anchor) in anchors.get(target, ())
            browser.check(f"{name}: the page has this anchor", is_known)
    return count


def check_search(session, site):
    session.send("POST", "/url", {"url": (site / "search.html").as_uri() + "?q=octree"})
    end = time.monotonic() + 30
    found = 0
    while not found and time.monotonic() < end:
        time.sleep(0.1)
        found = session.run("return document.querySelectorAll('#search-results li a').length")
    browser.check("the search finds pages", found > 0)


def main(site):
    site = Path(site).resolve()
    pages = sorted(page for page in site.rglob("*.html") if "_static" not in page.parts)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        session = browser.Browser(profile)
        try:
            contents = {page: inspect(session, page, site) for page in pages}
            check_search(session, site)
        finally:
            session.close()
    links = check_links(contents, site)
    print(f"{len(pages)} pages, {links} links, {len(browser.failures)} failures")
    sys.exit(bool(browser.failures or len(pages) < 20))


main(*sys.argv[1:])
