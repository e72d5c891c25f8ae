import { factSchema } from './search/fact-schema.ts'

/** Each entry brings the file from the version that is its index to the next one. */
export const ledgerMigrations: readonly string[] = [
  `
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    type INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    token_id INTEGER NOT NULL,
    token_name TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    channel_name TEXT NOT NULL,
    model TEXT NOT NULL,
    user_group TEXT NOT NULL,
    ip TEXT NOT NULL,
    content TEXT NOT NULL,
    quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    use_time INTEGER NOT NULL,
    is_stream INTEGER NOT NULL,
    status INTEGER NOT NULL,
    other TEXT NOT NULL
  );
  CREATE INDEX calls_by_time ON calls (created_at);
  CREATE INDEX calls_by_user ON calls (user_id, created_at);
  -- Nearly all rows are of type 2: an index of those would cost every call and find nothing faster.
  CREATE INDEX calls_by_type ON calls (type, created_at) WHERE type <> 2;

  -- Used in all, per token, user and channel: outlives the rows it was summed from.
  CREATE TABLE totals (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    quota INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  CREATE TABLE hours (
    hour INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (hour, user_id, username, model)
  ) WITHOUT ROWID;

  -- Rows up to this id are in totals and hours.
  CREATE TABLE summed (id INTEGER NOT NULL);
  INSERT INTO summed VALUES (0);
  `,
  `
  ALTER TABLE calls ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE calls ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
  UPDATE calls SET cached_tokens = coalesce(json_extract(other, '$.cache_tokens'), 0),
    unpriced = coalesce(json_extract(other, '$.unpriced'), 0)
    WHERE type IN (2, 5) AND json_valid(other);

  -- By model, by token and by channel each in a table of its own: all in one would have about a line a row.
  CREATE TABLE usage_hours (
    hour INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    PRIMARY KEY (hour, user_id, username, model)
  ) WITHOUT ROWID;
  CREATE INDEX usage_hours_by_model ON usage_hours (model, hour);
  CREATE TABLE token_hours (
    hour INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    token_id INTEGER NOT NULL,
    token_name TEXT NOT NULL,
    user_group TEXT NOT NULL,
    calls INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    PRIMARY KEY (hour, user_id, username, token_id, token_name, user_group)
  ) WITHOUT ROWID;
  CREATE INDEX token_hours_by_token ON token_hours (token_id, hour);
  CREATE INDEX token_hours_by_name ON token_hours (token_name, hour);
  CREATE TABLE channel_hours (
    hour INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    username TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    quota INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    PRIMARY KEY (hour, user_id, username, channel_id)
  ) WITHOUT ROWID;
  CREATE INDEX channel_hours_by_channel ON channel_hours (channel_id, hour);
  INSERT INTO usage_hours
    SELECT created_at - created_at % 3600 AS hour, user_id, username, model,
      sum(type = 2), sum(type = 5), sum(unpriced), sum(quota), sum(prompt_tokens),
      sum(completion_tokens), sum(cached_tokens)
    FROM calls WHERE type IN (2, 5) AND id <= (SELECT id FROM summed)
      AND created_at >= (SELECT coalesce(min(created_at) + 3599, 0) / 3600 * 3600 FROM calls)
    GROUP BY hour, user_id, username, model;
  INSERT INTO token_hours
    SELECT created_at - created_at % 3600 AS hour, user_id, username, token_id, token_name, user_group,
      sum(type = 2), sum(type = 5), sum(unpriced), sum(quota), sum(prompt_tokens),
      sum(completion_tokens), sum(cached_tokens)
    FROM calls WHERE type IN (2, 5) AND id <= (SELECT id FROM summed)
      AND created_at >= (SELECT coalesce(min(created_at) + 3599, 0) / 3600 * 3600 FROM calls)
    GROUP BY hour, user_id, username, token_id, token_name, user_group;
  INSERT INTO channel_hours
    SELECT created_at - created_at % 3600 AS hour, user_id, username, channel_id,
      sum(type = 2), sum(type = 5), sum(unpriced), sum(quota), sum(prompt_tokens),
      sum(completion_tokens), sum(cached_tokens)
    FROM calls WHERE type IN (2, 5) AND id <= (SELECT id FROM summed)
      AND created_at >= (SELECT coalesce(min(created_at) + 3599, 0) / 3600 * 3600 FROM calls)
    GROUP BY hour, user_id, username, channel_id;
  -- Hours whose rows are gone know neither token nor channel, and have 0 there.
  INSERT INTO usage_hours
    SELECT hour, user_id, username, model, calls, errors, 0, quota, prompt_tokens, completion_tokens, 0
    FROM hours
    WHERE hour < (SELECT coalesce(min(created_at) + 3599, 9e15) / 3600 * 3600 FROM calls);
  INSERT INTO token_hours
    SELECT hour, user_id, username, 0, '', '', sum(calls), sum(errors), 0, sum(quota), sum(prompt_tokens),
      sum(completion_tokens), 0
    FROM hours
    WHERE hour < (SELECT coalesce(min(created_at) + 3599, 9e15) / 3600 * 3600 FROM calls)
    GROUP BY hour, user_id, username;
  INSERT INTO channel_hours
    SELECT hour, user_id, username, 0, sum(calls), sum(errors), 0, sum(quota), sum(prompt_tokens),
      sum(completion_tokens), 0
    FROM hours
    WHERE hour < (SELECT coalesce(min(created_at) + 3599, 9e15) / 3600 * 3600 FROM calls)
    GROUP BY hour, user_id, username;
  DROP TABLE hours;

  CREATE TABLE redemption_codes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    code TEXT NOT NULL UNIQUE,
    status INTEGER NOT NULL,
    name TEXT NOT NULL,
    quota INTEGER NOT NULL,
    created_time INTEGER NOT NULL,
    redeemed_time INTEGER NOT NULL DEFAULT 0,
    expired_time INTEGER NOT NULL DEFAULT 0,
    used_user_id INTEGER NOT NULL DEFAULT 0,
    -- A deleted code keeps its row, so that who used it stays known and it is never drawn again.
    deleted_at INTEGER NOT NULL DEFAULT 0
  );
  -- All that a search looks at, so that it need not read the codes themselves to count them.
  CREATE INDEX redemption_codes_kept ON redemption_codes (name, status, expired_time)
    WHERE deleted_at = 0;

  CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    trade_no TEXT NOT NULL UNIQUE,
    -- 'stripe' or 'creem'
    provider TEXT NOT NULL,
    -- Stripe: dollars asked for; Creem: units
    amount INTEGER NOT NULL,
    money REAL NOT NULL,
    -- units that a payment credits, fixed when the order is made
    credit INTEGER NOT NULL,
    product_id TEXT NOT NULL DEFAULT '',
    -- lower case; '' until the provider has told it
    currency TEXT NOT NULL DEFAULT '',
    -- minor units of the currency; null until the provider has told it
    expected_amount INTEGER,
    -- minor units that were paid, once they were
    paid_amount INTEGER,
    -- the provider's checkout, and later its payment
    checkout_id TEXT NOT NULL DEFAULT '',
    payment_id TEXT NOT NULL DEFAULT '',
    is_live INTEGER NOT NULL,
    status TEXT NOT NULL,
    -- units taken back after a refund or a dispute
    clawed_back INTEGER NOT NULL DEFAULT 0,
    -- what an administrator should know, such as a payment that came after the expiry
    note TEXT NOT NULL DEFAULT '',
    create_time INTEGER NOT NULL,
    complete_time INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX orders_by_user ON orders (user_id, id);
  CREATE INDEX orders_by_checkout ON orders (checkout_id) WHERE checkout_id <> '';
  CREATE INDEX orders_by_payment ON orders (payment_id) WHERE payment_id <> '';

  -- Refunds and disputes, kept also when they come before the payment that they are about.
  CREATE TABLE payment_reversals (
    provider TEXT NOT NULL,
    reversal_id TEXT NOT NULL,
    -- 'refund'; 'refunded', which is all refunds of a payment together; 'dispute'
    kind TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    checkout_id TEXT NOT NULL,
    -- minor units of the currency
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    -- what was paid in all in that currency; null when the order knows it
    paid_amount INTEGER,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (provider, reversal_id)
  ) WITHOUT ROWID;
  CREATE INDEX reversals_by_payment ON payment_reversals (payment_id) WHERE payment_id <> '';
  CREATE INDEX reversals_by_checkout ON payment_reversals (checkout_id) WHERE checkout_id <> '';

  CREATE TABLE webhook_events (
    provider TEXT NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (provider, event_id)
  ) WITHOUT ROWID;
  `,
  `
  -- Calls that are under way for some time already, each with the row that it gets if the process is killed.
  CREATE TABLE open_calls (
    request_id TEXT PRIMARY KEY,
    -- units that were held back for it
    reserved INTEGER NOT NULL,
    -- JSON of the row
    row TEXT NOT NULL
  ) WITHOUT ROWID;
  `,
  factSchema,
  `
  ALTER TABLE calls ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
  UPDATE calls SET estimated = 1 WHERE type IN (2, 5) AND other LIKE '%"estimated":true%';
  ALTER TABLE usage_hours ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE token_hours ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE channel_hours ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
  CREATE TEMP TABLE estimates AS
    SELECT created_at - created_at % 3600 AS hour, * FROM calls
    WHERE estimated = 1 AND id <= (SELECT id FROM summed);
  UPDATE usage_hours AS line SET estimated = found.calls FROM (
    SELECT hour, user_id, username, model, count(*) AS calls FROM estimates GROUP BY 1, 2, 3, 4) AS found
    WHERE (line.hour, line.user_id, line.username, line.model)
      = (found.hour, found.user_id, found.username, found.model);
  UPDATE token_hours AS line SET estimated = found.calls FROM (
    SELECT hour, user_id, username, token_id, token_name, user_group, count(*) AS calls
    FROM estimates GROUP BY 1, 2, 3, 4, 5, 6) AS found
    WHERE (line.hour, line.user_id, line.username, line.token_id, line.token_name, line.user_group)
      = (found.hour, found.user_id, found.username, found.token_id, found.token_name, found.user_group);
  UPDATE channel_hours AS line SET estimated = found.calls FROM (
    SELECT hour, user_id, username, channel_id, count(*) AS calls FROM estimates GROUP BY 1, 2, 3, 4) AS found
    WHERE (line.hour, line.user_id, line.username, line.channel_id)
      = (found.hour, found.user_id, found.username, found.channel_id);
  DROP TABLE estimates;

  ALTER TABLE totals ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE totals ADD COLUMN estimated INTEGER NOT NULL DEFAULT 0;
  UPDATE totals SET (unpriced, estimated) = (
    SELECT coalesce(sum(unpriced), 0), coalesce(sum(estimated), 0) FROM token_hours WHERE token_id = totals.id)
    WHERE kind = 'token';
  UPDATE totals SET (unpriced, estimated) = (
    SELECT coalesce(sum(unpriced), 0), coalesce(sum(estimated), 0) FROM usage_hours WHERE user_id = totals.id)
    WHERE kind = 'user';
  UPDATE totals SET (unpriced, estimated) = (
    SELECT coalesce(sum(unpriced), 0), coalesce(sum(estimated), 0) FROM channel_hours WHERE channel_id = totals.id)
    WHERE kind = 'channel';
  `,
  `
  -- JSON: sentences for administrators, each with its reason by code; none is known of those that were kept before
  ALTER TABLE orders ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';
  UPDATE orders SET notes = json_array(json_object('message', note)) WHERE note <> '';
  ALTER TABLE orders DROP COLUMN note;
  `,
  `
  -- where the buyer pays; '' where it was never made, and for orders that were kept before
  ALTER TABLE orders ADD COLUMN checkout_url TEXT NOT NULL DEFAULT '';
  `,
]
