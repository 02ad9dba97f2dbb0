//! A machine before it has any rules.

use std::rc::Rc;

use mlua::{LightUserData, Lua, Table};

use crate::registrar::ScriptRegistrar;
use crate::values::Metatables;
use crate::vm::{Shared, new_machine, yield_functions};
use crate::{api, load, registration};

/// A sealed machine with the modules of the host, and the table of what is shown.
pub(super) fn machine(
    shared: &Rc<Shared>,
    registrar: &Rc<ScriptRegistrar>,
) -> mlua::Result<(Lua, Table, Table)> {
    let (lua, host, shown) = {
        let lua = new_machine(shared)?;
        let shown = lua.create_table()?;
        let host = api::functions(&lua, shared, &shown)?;
        registration::functions(&lua, &host, registrar)?;
        for (name, source) in [
            ("lines", include_str!("../lines.luau")),
            ("chapters", include_str!("../chapters.luau")),
        ] {
            let chunk = load::chunk(&lua, source, format!("=[houserule]/{name}.luau"));
            host.set(name, chunk.into_function()?)?;
        }
        (lua, host, shown)
    };
    let yields = yield_functions(&lua)?;
    let prelude: Table = load::chunk(
        &lua,
        include_str!("../prelude.luau"),
        "=[houserule]/prelude.luau".into(),
    )
    .call((host, yields))?;
    let metatables = Metatables {
        point: prelude.get("point_meta")?,
        hex: prelude.get("hex_meta")?,
        die: prelude.get("die_meta")?,
        budget: shared.budget.clone(),
    };
    let all = [&metatables.point, &metatables.hex, &metatables.die];
    shared
        .answers
        .metatables
        .set(all.map(|table| table.to_pointer().addr()));
    *shared.tables.borrow_mut() = Some(Rc::new(metatables));
    lua.set_type_metatable::<LightUserData>(Some(api::entity_metatable(&lua, shared, &shown)?));
    lua.set_named_registry_value("houserule.prelude", &prelude)?;
    lua.sandbox(true)?;
    Ok((lua, prelude, shown))
}
