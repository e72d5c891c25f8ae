/**
 * Narrow rows for searches, in order of time: rows of `calls` are wide, and facts
 * in their JSON have no column. Filled by a search, never when a call is booked.
 */
export const factSchema = `
  -- Texts that many calls share.
  CREATE TABLE call_names (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (kind, text)
  );
  CREATE TABLE call_facts (
    created_at INTEGER NOT NULL,
    -- that of calls
    id INTEGER NOT NULL,
    type INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    status INTEGER NOT NULL,
    -- bits, in the order of callFlags
    flags INTEGER NOT NULL,
    -- null in what is no model call
    duration INTEGER,
    first_token INTEGER,
    quota INTEGER,
    input INTEGER,
    output INTEGER,
    cached REAL,
    -- ids of call_names
    model INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    token INTEGER NOT NULL,
    username INTEGER NOT NULL,
    path INTEGER NOT NULL,
    client INTEGER NOT NULL,
    format INTEGER NOT NULL,
    error INTEGER NOT NULL,
    session TEXT NOT NULL,
    request_id TEXT NOT NULL,
    PRIMARY KEY (created_at, id)
  ) WITHOUT ROWID;
  CREATE INDEX call_facts_by_session ON call_facts (session, user_id) WHERE session <> '';
  -- Calls up to newest_id that are not older than (created_at, id) have their facts.
  CREATE TABLE call_facts_reach (
    newest_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    id INTEGER NOT NULL
  );
  `
