//! Chains of implications: forcing chains and cycles, multiple, dynamic and nested chains.
