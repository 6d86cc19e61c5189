//! Image tests as their users run them: the program itself, in projects made for each test.

mod attribution;
mod between;
mod choosing;
mod comparing;
mod damage;
mod folders;
mod fuzz;
mod ground;
mod naming;
mod own_pictures;
mod reasons;
mod shrinking;
mod statuses;
mod texts;
mod tools;
mod world;
