//! The messages between the server and its clients: what a page, a bot or a test sends and receives.
