//! Writes `houserule.h` from the source of `houserule-c`: `cargo run` here.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let door = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_file(door.join("cbindgen.toml"))?;
    let bindings = cbindgen::Builder::new().with_src(door.join("src/lib.rs")).with_config(config).generate()?;
    bindings.write_to_file(door.join("houserule.h"));
    Ok(())
}
