"""What DuckDB makes of a file of games: who wins how, by how many decisions, and
the same games as Parquet.

    python3 read_duckdb.py raid.jsonl raid.parquet
"""
import sys

import duckdb

games, parquet = sys.argv[1:]
# The first line says what is played; each of the others is a game, and ends in a state.
duckdb.sql(f"""
    create table games as
    select variant, seed, coalesce(winner, 'nobody') as winner, reason, decisions, actions, fault
    from read_json('{games}', format = 'newline_delimited',
                   columns = {{variant: 'INT', seed: 'UBIGINT', winner: 'VARCHAR', reason: 'VARCHAR',
                               decisions: 'INT', actions: 'MAP(VARCHAR, INT)',
                               state: 'VARCHAR', fault: 'VARCHAR'}})
    where state is not null
    order by variant, seed
""")
duckdb.sql(f"copy games to '{parquet}' (format parquet)")
duckdb.sql(f"""
    select winner, reason, count(*) as games, round(avg(decisions), 1) as decisions
    from '{parquet}' group by all order by games desc, winner, reason
""").show()
duckdb.sql(f"""
    select action.key as action, sum(action.value) as times
    from (select unnest(map_entries(actions)) as action from '{parquet}')
    group by all order by times desc, action limit 3
""").show()
