//! Scene files: what they say, what is wrong with them, what is printed of them, and the pages that list their keys.

mod animation;
mod bad;
mod codes;
mod dumps;
mod materialx;
mod properties;
mod schema;
