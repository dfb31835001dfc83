//! Parallel iterators that compile in less time.
//!
//! Rayon makes a copy of its scheduler for each parallel loop: more than a third of the code of this crate. Loops over an
//! [`Erased`] iterator share one copy, at the cost of one indirect call per task.

use rayon::{
    iter::plumbing::{Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer},
    prelude::*,
};

/// Gives parallel iterators over a known number of items the method [`erased`](Self::erased).
pub(crate) trait Erase: IndexedParallelIterator {
    /// Returns the same iterator, which shares the scheduler of others. Adaptors that need the number of items, such as `zip` and
    /// `enumerate`, must precede it.
    fn erased(self) -> Erased<Self> {
        Erased(self)
    }
}

impl<I: IndexedParallelIterator> Erase for I {}

/// A parallel iterator whose tasks are scheduled by [`join`].
pub(crate) struct Erased<I>(I);

impl<I: IndexedParallelIterator> ParallelIterator for Erased<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        self.drive(consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

impl<I: IndexedParallelIterator> IndexedParallelIterator for Erased<I> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn drive<C: Consumer<I::Item>>(self, consumer: C) -> C::Result {
        let len = self.0.len();
        self.0.with_producer(Start { len, consumer })
    }

    fn with_producer<CB: ProducerCallback<I::Item>>(self, callback: CB) -> CB::Output {
        self.0.with_producer(callback)
    }
}

/// Start of a loop over `len` items.
struct Start<C> {
    len: usize,
    consumer: C,
}

impl<T, C: Consumer<T>> ProducerCallback<T> for Start<C> {
    type Output = C::Result;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> C::Result {
        let splits = Splits {
            left: rayon::current_num_threads().max(self.len / producer.max_len().max(1)),
            min_len: producer.min_len().max(1),
        };
        consume(splits, self.len, false, producer, self.consumer)
    }
}

/// When a task becomes two. Follows rayon: as many tasks as threads, and as many again for each task that another thread takes.
#[derive(Clone, Copy)]
struct Splits {
    left: usize,
    min_len: usize,
}

impl Splits {
    /// Returns the rule for the halves of `len` items, if they are two tasks.
    fn halved(self, len: usize, stolen: bool) -> Option<Self> {
        let left = match stolen {
            true => rayon::current_num_threads().max(self.left / 2),
            false => self.left / 2,
        };
        (len / 2 >= self.min_len && (stolen || self.left > 0)).then_some(Self { left, ..self })
    }
}

/// Consumes the items of a producer, in two tasks if they are many.
fn consume<P: Producer, C: Consumer<P::Item>>(
    splits: Splits,
    len: usize,
    stolen: bool,
    producer: P,
    consumer: C,
) -> C::Result {
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let Some(splits) = splits.halved(len, stolen) else {
        return producer.fold_with(consumer.into_folder()).complete();
    };
    let middle = len / 2;
    let (first, second) = producer.split_at(middle);
    let (first_consumer, second_consumer, reducer) = consumer.split_at(middle);
    let mut first = Half::Before(first, first_consumer);
    let mut second = Half::Before(second, second_consumer);
    join(
        &mut |stolen| first.run(splits, middle, stolen),
        &mut |stolen| second.run(splits, len - middle, stolen),
    );
    reducer.reduce(first.result(), second.result())
}

/// One of two tasks, before and after it has run.
enum Half<P, C, R> {
    Before(P, C),
    Running,
    After(R),
}

impl<P: Producer, C: Consumer<P::Item>> Half<P, C, C::Result> {
    fn run(&mut self, splits: Splits, len: usize, stolen: bool) {
        if let Self::Before(producer, consumer) = std::mem::replace(self, Self::Running) {
            *self = Self::After(consume(splits, len, stolen, producer, consumer));
        }
    }

    fn result(self) -> C::Result {
        match self {
            Self::After(result) => result,
            Self::Before(..) | Self::Running => unreachable!("join runs both tasks"),
        }
    }
}

/// Runs two tasks, possibly on two threads. Each is called once, and told whether another thread took it.
pub(crate) fn join(first: &mut (dyn FnMut(bool) + Send), second: &mut (dyn FnMut(bool) + Send)) {
    rayon::join_context(
        |context| first(context.migrated()),
        |context| second(context.migrated()),
    );
}
