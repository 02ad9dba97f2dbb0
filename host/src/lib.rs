//! Mods, composition, Luau host, scenarios, record and analysis over the
//! Houserule kernel.

pub mod data;
<<<<<<< HEAD
pub mod lua;
pub mod modset;
pub mod play;
pub mod record;
pub mod rulebook;
pub mod scenario;
pub mod testing;
=======
pub mod modset;
>>>>>>> 7ded1e70c29d79d6bd655119f26ef2a52d32a617
pub mod types;
pub mod workshop;
