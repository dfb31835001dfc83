//! Reading of VTK PolyData and unstructured grids, as jostle, VTK, PyVista and meshio write them.

use std::io::BufRead;

use base64::{Engine, engine::general_purpose::STANDARD};
use flate2::read::ZlibDecoder;
use roxmltree::Node;

use super::{
    constants::NOT_UTF_8,
    error::ReadError,
    expansion::Expansion,
    numbers::Number,
    read_options::ReadOptions,
    rows::Rows,
    vtk_points::{self, Points, extended, is_used},
    xml,
};

/// The only compressor that is read.
const COMPRESSOR: &str = "vtkZLibDataCompressor";

/// Reads one file.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut rows = vtk_points::rows(options)?;
    add(input, &mut rows, options)?;
    Ok(rows)
}

/// Adds the points of a file with their arrays `radius` or `diameter`, and `id` if there is one.
pub(super) fn add(
    mut input: impl BufRead,
    rows: &mut Rows,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    let (xml, appended) = split_appended(&bytes);
    let text = str::from_utf8(xml).map_err(|_| ReadError::content(NOT_UTF_8))?;
    // The root element was cut off with the appended data.
    let ending = if appended.is_some() { "</VTKFile>" } else { "" };
    let closed = format!("{text}{ending}");
    let document = xml::parse(&closed)?;
    let expansion = Expansion::of_file(bytes.len());
    let file = File::new(document.root_element(), appended, expansion)?;

    file.refuse_surface()?;
    let mut points = Points {
        coordinates: file.points()?,
        unused: file.unused(),
        ..Points::default()
    };
    if !points.coordinates.is_empty() {
        for (name, array) in file.point_arrays() {
            points.store(name, file.values(array)?);
        }
    }
    points.add_to(rows, options)
}

/// The encoding and the bytes of the appended data, after their underscore.
type Appended<'a> = (bool, &'a [u8]);

/// Splits a file before its element `AppendedData`, whose content need not be XML.
fn split_appended(bytes: &[u8]) -> (&[u8], Option<Appended<'_>>) {
    const TAG: &[u8] = b"<AppendedData";
    let Some(start) = bytes.windows(TAG.len()).position(|window| window == TAG) else {
        return (bytes, None);
    };
    let rest = &bytes[start..];
    let tag = rest.split(|&byte| byte == b'>').next();
    let is_raw = tag.is_some_and(|tag| tag.windows(3).any(|window| window == b"raw"));
    let data = rest.splitn(2, |&byte| byte == b'_').nth(1);
    (&bytes[..start], Some((is_raw, data.unwrap_or_default())))
}

/// The parts of a file that give the meaning of its arrays.
struct File<'a, 'input> {
    piece: Node<'a, 'input>,
    appended: Option<Appended<'a>>,
    /// Offsets of all arrays in the appended data, sorted.
    offsets: Vec<usize>,
    is_compressed: bool,
    expansion: Expansion,
    /// Bytes of a number in a header: 4 or 8.
    header: usize,
}

impl<'a, 'input> File<'a, 'input> {
    fn new(
        root: Node<'a, 'input>,
        appended: Option<Appended<'a>>,
        expansion: Expansion,
    ) -> Result<Self, ReadError> {
        let refuse = |what: String| Err(ReadError::content(what));
        let kind = root.attribute("type").unwrap_or("");
        if root.tag_name().name() != "VTKFile" || !matches!(kind, "PolyData" | "UnstructuredGrid") {
            return refuse(format!(
                "the file holds '{kind}'; only PolyData and UnstructuredGrid can be read"
            ));
        }
        let order = root.attribute("byte_order");
        if order.is_some_and(|order| order != "LittleEndian") {
            return refuse(
                "the byte order is not LittleEndian; only LittleEndian can be read".into(),
            );
        }
        let compressor = root.attribute("compressor");
        if let Some(other) = compressor.filter(|&name| name != COMPRESSOR) {
            return refuse(format!(
                "the compressor is '{other}'; only {COMPRESSOR} can be read"
            ));
        }
        let mut pieces = root.descendants().filter(|node| node.has_tag_name("Piece"));
        let (Some(piece), None) = (pieces.next(), pieces.next()) else {
            return refuse("the file must hold exactly one Piece".into());
        };
        let offsets = root
            .descendants()
            .filter_map(|node| node.attribute("offset")?.parse().ok());
        let mut offsets: Vec<usize> = offsets.collect();
        offsets.sort_unstable();
        let has_wide_header = root.attribute("header_type") == Some("UInt64");
        Ok(Self {
            piece,
            appended,
            offsets,
            is_compressed: compressor.is_some(),
            expansion,
            header: if has_wide_header { 8 } else { 4 },
        })
    }

    fn child(&self, name: &str) -> Option<Node<'a, 'input>> {
        self.piece.children().find(|node| node.has_tag_name(name))
    }

    /// Rejects a surface, whose points are corners of triangles and not centers.
    fn refuse_surface(&self) -> Result<(), ReadError> {
        let number = |name: &str| self.piece.attribute(name)?.parse().ok();
        let faces = ["NumberOfPolys", "NumberOfStrips"].into_iter();
        let mut faces = (faces.filter_map(number)).fold(0, usize::saturating_add);
        let cells = self.child("Cells");
        let types = cells.and_then(|cells| {
            let mut arrays = cells.children();
            arrays.find(|array| {
                array
                    .attribute("Name")
                    .is_some_and(|name| name.eq_ignore_ascii_case("types"))
            })
        });
        if let Some(types) = types {
            faces = extended(&self.values(types)?);
        }
        vtk_points::refuse_surface(faces)
    }

    /// Returns the point arrays that describe spheres, with their names.
    fn point_arrays(&self) -> impl Iterator<Item = (&'a str, Node<'a, 'input>)> {
        let data = self.child("PointData").into_iter();
        let arrays = data.flat_map(|data| data.children());
        let named = arrays.filter_map(|array| Some((array.attribute("Name")?, array)));
        named.filter(|(name, _)| is_used(name))
    }

    /// Returns the names of the arrays that are not used.
    fn unused(&self) -> Vec<String> {
        let names = |node: Node<'a, 'input>| {
            let arrays = node.children().filter(Node::is_element);
            arrays.filter_map(|array| array.attribute("Name"))
        };
        let points = self.child("PointData").into_iter().flat_map(names);
        let cells = self.child("CellData").into_iter().flat_map(names);
        let file = self.piece.parent().into_iter();
        let fields = file.flat_map(|file| file.children());
        let fields = fields.filter(|node| node.has_tag_name("FieldData"));
        (points.filter(|name| !is_used(name)))
            .chain(cells)
            .chain(fields.flat_map(names))
            .map(str::to_owned)
            .collect()
    }

    /// Returns the coordinates of all points.
    fn points(&self) -> Result<Vec<f64>, ReadError> {
        let mut points = self
            .child("Points")
            .into_iter()
            .flat_map(|node| node.children());
        let array = points.find(|node| node.has_tag_name("DataArray"));
        self.values(array.ok_or_else(|| ReadError::content("the file has no Points"))?)
    }

    /// Returns the numbers of an array.
    fn values(&self, array: Node) -> Result<Vec<f64>, ReadError> {
        let name = array.attribute("Name").unwrap_or("Points");
        let mistake = |what: &str| ReadError::content(format!("the array {name} {what}"));
        let kind = array.attribute("type").unwrap_or("");
        let text = array.text().unwrap_or("").trim();
        let bytes = match array.attribute("format") {
            Some("ascii") => {
                let numbers = text.split_ascii_whitespace().map(|word| word.parse().ok());
                return numbers
                    .collect::<Option<_>>()
                    .ok_or_else(|| mistake("has a word that is no number"));
            }
            Some("binary") => decode(text.as_bytes()),
            Some("appended") => self.appended_bytes(array),
            _ => None,
        };
        let bytes =
            bytes.ok_or_else(|| mistake("has no data in ascii, binary or appended form"))?;
        let data = self.unpack(&bytes)?;
        let data = data.ok_or_else(|| mistake("is cut off or damaged"))?;
        let number = Number::from_vtk(kind).ok_or_else(|| {
            let what = format!("has numbers of the type '{kind}', which cannot be read");
            mistake(&what)
        })?;
        let numbers = number.decode(&data);
        if self.is_compressed {
            // Small numbers become larger ones.
            let growth = size_of_val(&*numbers).saturating_sub(data.len());
            self.expansion.spend(growth as u64)?;
        }
        Ok(numbers)
    }

    /// Returns the bytes of an array in the appended data, and perhaps some bytes after it.
    fn appended_bytes(&self, array: Node) -> Option<Vec<u8>> {
        let (is_raw, data) = self.appended?;
        let offset: usize = array.attribute("offset")?.parse().ok()?;
        if is_raw {
            return data.get(offset..).map(<[u8]>::to_vec);
        }
        let next = self.offsets[self.offsets.partition_point(|&other| other <= offset)..].first();
        let text = data.get(offset..next.copied().unwrap_or(data.len()))?;
        let text = text.split(|&byte| byte == b'<').next()?;
        decode(text.trim_ascii())
    }

    /// Removes the header of an array, and decompresses the numbers. `None` means that the array is cut off or damaged.
    fn unpack(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(blocks) = self.blocks(bytes) else {
            return Ok(None);
        };
        let mut data = Vec::new();
        for block in blocks {
            match block {
                Some(block) if self.is_compressed => {
                    let decoder = ZlibDecoder::new(block);
                    if self.expansion.read(decoder, &mut data)?.is_err() {
                        return Ok(None);
                    }
                }
                Some(block) => data.extend(block),
                None => return Ok(None),
            }
        }
        Ok(Some(data))
    }

    /// Returns the blocks of an array: one, or those of the compressor. `None` stands for what lies outside of the bytes.
    fn blocks<'b>(&self, bytes: &'b [u8]) -> Option<impl Iterator<Item = Option<&'b [u8]>>> {
        let header = self.header;
        let word = move |position: usize| {
            let start = position.checked_mul(header)?;
            let bytes = bytes.get(start..start.checked_add(header)?)?;
            let mut word = [0; 8];
            word[..header].copy_from_slice(bytes);
            usize::try_from(u64::from_le_bytes(word)).ok()
        };
        // The head of compressed data has the numbers of blocks and of bytes in a block and in the last one.
        let (blocks, sizes) = if self.is_compressed {
            (word(0)?, 3)
        } else {
            (1, 0)
        };
        let mut start = header.checked_mul(blocks.checked_add(sizes)?)?;
        Some((0..blocks).map(move |block| {
            let end = start.checked_add(word(sizes + block)?)?;
            let block = bytes.get(start..end);
            start = end;
            block
        }))
    }
}

/// Decodes one or more base64 streams that follow each other, each padded at its end.
fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let compact = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    let compact: Vec<u8> = compact.copied().collect();
    let (mut bytes, mut rest) = (Vec::new(), compact.as_slice());
    while !rest.is_empty() {
        let padding = rest.iter().take_while(|&&byte| byte != b'=').count();
        // A stream is never empty, whatever a damaged file says.
        let end = padding.max(1).next_multiple_of(4).min(rest.len());
        STANDARD.decode_vec(&rest[..end], &mut bytes).ok()?;
        rest = &rest[end..];
    }
    Some(bytes)
}
