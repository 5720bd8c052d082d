//! Alinea online: one binary with tables, people, programs, accounts and ratings behind one port.
