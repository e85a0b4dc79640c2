pub mod arrow;
pub mod compression;
pub mod corpus;
pub(crate) mod npy;
pub mod output;
pub mod pipeline;
pub mod rows;
pub(crate) mod scoring;
