//! Insertion of pending spheres on ranks. Each rank finds positions for its pending spheres, and tests positions in its region.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::{
    domain::Domain,
    record::{from_bytes, to_bytes},
};
use crate::{
    container::frame::{Point, Steps},
    rearrange::{
        constants::FIRST_SKIN,
        placement::{Placed, Present, Space, TriedPosition, placed},
        state::State,
    },
};

/// The question how far a sphere would overlap the present ones.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Question {
    at: Steps,
    /// Radius at the present scale.
    radius: f32,
}

impl State {
    /// Inserts the next group of pending spheres.
    pub(in crate::rearrange) fn insert_group_on_ranks(&mut self) {
        let group = self.pending.take_group();
        let Some(domain) = &self.domain else {
            return;
        };
        let scale = self.scale as f32;
        let held: Vec<Point> = domain.held().iter().map(|&id| self.sphere(id)).collect();
        let present = Present {
            space: Space {
                container: &self.container,
                frame: &self.frame,
                wall_offset: self.wall_offset as f32,
            },
            spheres: &held,
            scale,
        };
        let finest = self.order.levels() as u8 - 1;
        let index = present.index();
        let positions = present
            .space
            .best_positions(&group, self.pending.seed(), |tried| {
                let question = |tried: &TriedPosition| Question {
                    at: tried.at,
                    radius: group[tried.sphere as usize].radius * scale,
                };
                let questions: Vec<Question> = tried.iter().map(question).collect();
                let answer = |question: &Question| {
                    present.deepest_overlap(&*index, question.at, question.radius)
                };
                domain.answers(
                    &questions,
                    |question| domain.regions.owner(finest, question.at),
                    answer,
                )
            });
        drop(index);
        let inflated = self.new_inflated(self.all(), FIRST_SKIN);
        let mut own: Vec<Placed> = domain
            .own
            .iter()
            .zip(inflated)
            .map(|(&id, inflated)| {
                let i = id as usize;
                Placed::new(self.original[i], self.points[i], inflated.radius)
            })
            .collect();
        own.par_extend(placed(&group, positions, scale));
        if let Some(domain) = self.domain.take() {
            self.number_on_ranks(domain, own);
        }
    }
}

impl Domain {
    /// Returns the answers to questions, in their order. The rank that `rank_of` returns answers a question.
    fn answers(
        &self,
        questions: &[Question],
        rank_of: impl Fn(&Question) -> usize,
        answer: impl Fn(&Question) -> f32 + Sync,
    ) -> Vec<f32> {
        let mut asked = vec![Vec::new(); self.communicator.ranks()];
        let ranks: Vec<usize> = questions.iter().map(rank_of).collect();
        for (&rank, &question) in ranks.iter().zip(questions) {
            asked[rank].push(question);
        }
        let messages = asked.iter().map(|questions| to_bytes(questions)).collect();
        let received = self.communicator.all_to_all(messages);
        let answers = received.iter().map(|message| {
            let questions = from_bytes::<Question>(message);
            let answers: Vec<f32> = questions.par_iter().map(&answer).collect();
            to_bytes(&answers)
        });
        let received = self.communicator.all_to_all(answers.collect());
        let mut answers: Vec<_> = received
            .iter()
            .map(|message| from_bytes::<f32>(message).into_iter())
            .collect();
        ranks
            .into_iter()
            .map(|rank| answers[rank].next().unwrap_or(f32::INFINITY))
            .collect()
    }
}
