//! Sums and products of long vectors.

use glam::Vec3;

use crate::machine::lanes::{Kernel, Lanes, run};

/// Numbers of a vector that are computed together.
const WIDTH: usize = 16;

/// Parts whose products are summed with single precision.
const BLOCK: usize = 64;

/// Neighboring numbers of a vector.
pub(super) type Part = [f32; WIDTH];

/// Returns this many zeros, and more to fill the last part. No vector changes the additional ones.
pub(super) fn zeros(numbers: usize) -> Vec<Part> {
    vec![[0.0; WIDTH]; numbers.div_ceil(WIDTH)]
}

/// Returns the vectors of spheres, which are three numbers each. Others may follow.
#[inline(always)]
pub(super) fn of_spheres(vector: &[Part]) -> impl Iterator<Item = Vec3> {
    let (vectors, _) = vector.as_flattened().as_chunks();
    vectors.iter().map(|vector| Vec3::from_array(*vector))
}

/// Returns the longest vector of a sphere, in limits.
pub(super) fn longest(vector: &[Part], limits: &[f32]) -> f32 {
    let lengths = of_spheres(vector)
        .zip(limits)
        .map(|(vector, limit)| vector.length_squared() / (limit * limit));
    lengths.fold(0.0, f32::max).sqrt()
}

/// Writes the sum of vectors times factors.
pub(super) fn combine(vectors: &[(f32, &[Part])], sum: &mut [Part]) {
    run(Combination { vectors, sum });
}

/// Returns the product of two vectors.
pub(super) fn product(a: &[Part], b: &[Part]) -> f64 {
    let mut products = [[0.0]];
    multiply([a], &[b], &mut products);
    products[0][0]
}

/// Writes the products of some vectors with each of the others.
pub(super) fn multiply<const N: usize>(
    vectors: [&[Part]; N],
    others: &[&[Part]],
    products: &mut [[f64; N]],
) {
    run(Products {
        vectors,
        others,
        products,
    });
}

struct Combination<'a> {
    vectors: &'a [(f32, &'a [Part])],
    sum: &'a mut [Part],
}

impl Kernel for Combination<'_> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, _: L) {
        for (k, sum) in self.sum.iter_mut().enumerate() {
            let mut numbers = [0.0; WIDTH];
            for (factor, vector) in self.vectors {
                for (number, value) in numbers.iter_mut().zip(&vector[k]) {
                    *number += factor * value;
                }
            }
            *sum = numbers;
        }
    }
}

struct Products<'a, const N: usize> {
    vectors: [&'a [Part]; N],
    others: &'a [&'a [Part]],
    products: &'a mut [[f64; N]],
}

impl<const N: usize> Kernel for Products<'_, N> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, _: L) {
        self.products.fill([0.0; N]);
        let parts = self.others.first().map_or(0, |other| other.len());
        for start in (0..parts).step_by(BLOCK) {
            let block = start..(start + BLOCK).min(parts);
            let vectors = self.vectors.map(|vector| &vector[block.clone()]);
            for (products, other) in self.products.iter_mut().zip(self.others) {
                for (product, vector) in products.iter_mut().zip(vectors) {
                    *product += f64::from(dot(vector, &other[block.clone()]));
                }
            }
        }
    }
}

/// Returns the product of two short vectors.
#[inline(always)]
fn dot(a: &[Part], b: &[Part]) -> f32 {
    let mut sums = [0.0; WIDTH];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}
