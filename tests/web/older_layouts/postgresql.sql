-- Databases of the schemas 0029 to 0033. The line before a statement names those that it belongs to.
-- 0029 0030 0031 0032 0033
CREATE FUNCTION public.pyramidion_tell_matches() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('pyramidion', changed.id) FROM (SELECT DISTINCT fresh.id AS id FROM fresh) AS changed;
    RETURN NULL;
END $$;
-- 0029 0030 0031 0032 0033
CREATE FUNCTION public.pyramidion_tell_plies() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('pyramidion', changed.id) FROM (SELECT DISTINCT fresh.match AS id FROM fresh) AS changed;
    RETURN NULL;
END $$;
-- 0029 0030 0031 0032 0033
CREATE FUNCTION public.pyramidion_tell_premoves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('pyramidion', changed.id) FROM (SELECT DISTINCT fresh.match AS id FROM fresh) AS changed;
    RETURN NULL;
END $$;
-- 0029 0030 0031 0032 0033
CREATE FUNCTION public.pyramidion_tell_seats() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('pyramidion', changed.id) FROM (SELECT DISTINCT fresh.match AS id FROM fresh) AS changed;
    RETURN NULL;
END $$;
-- 0029 0030 0031 0032 0033
CREATE TABLE public.accounts (
    id character varying(40) NOT NULL,
    name character varying(40) NOT NULL,
    key character varying(160) NOT NULL,
    holder character varying(40) NOT NULL,
    password text,
    email character varying(254),
    created bigint NOT NULL,
    looks character varying(160),
    owner character varying(40)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.analyses (
    match character varying(40) NOT NULL,
    made bigint NOT NULL,
    result text NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.api_tokens (
    id character varying(40) NOT NULL,
    account character varying(40) NOT NULL,
    hash bytea NOT NULL,
    scopes character varying(80) NOT NULL,
    created bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.blocks (
    person character varying(40) NOT NULL,
    blocked character varying(40) NOT NULL,
    name character varying(40) NOT NULL,
    at bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.chat_lines (
    match character varying(40) NOT NULL,
    number integer NOT NULL,
    id character varying(22) NOT NULL,
    at bigint NOT NULL,
    seat integer,
    name character varying(40),
    text text NOT NULL,
    readers integer,
    removed boolean NOT NULL,
    role character varying(10) DEFAULT 'player'::character varying NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.chat_seats (
    match character varying(40) NOT NULL,
    seat integer NOT NULL,
    seen integer NOT NULL,
    since integer NOT NULL,
    notes text NOT NULL,
    looked bigint NOT NULL,
    read text DEFAULT '{}'::text NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.claims (
    key character varying(80) NOT NULL,
    server character varying(40) NOT NULL,
    until bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.club_events (
    kind character varying(10) NOT NULL,
    event character varying(40) NOT NULL,
    club character varying(40) NOT NULL,
    at bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.club_members (
    club character varying(40) NOT NULL,
    holder character varying(40) NOT NULL,
    member character varying(40) NOT NULL,
    name character varying(40) NOT NULL,
    role character varying(10) NOT NULL,
    since bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.club_posts (
    club character varying(40) NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    author character varying(40) NOT NULL,
    text text NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.club_tables (
    match character varying(40) NOT NULL,
    club character varying(40) NOT NULL
);
-- 0029 0030 0031 0032
CREATE TABLE public.clubs (
    id character varying(40) NOT NULL,
    created bigint NOT NULL,
    name character varying(80) NOT NULL,
    about text NOT NULL,
    door character varying(10) NOT NULL,
    turn integer NOT NULL
);
-- 0029 0030 0031 0032
CREATE TABLE public.contacts (
    person character varying(40) NOT NULL,
    email character varying(254),
    confirmed boolean NOT NULL,
    webhook text,
    zone character varying(64) NOT NULL,
    language character varying(10) NOT NULL,
    off text NOT NULL,
    polled bigint NOT NULL,
    quiet_from integer,
    quiet_until integer
);
-- 0033
CREATE TABLE public.clubs (
    id character varying(40) NOT NULL,
    created bigint NOT NULL,
    name character varying(80) NOT NULL,
    about text NOT NULL,
    door character varying(10) NOT NULL,
    turn integer NOT NULL,
    posts integer NOT NULL
);
-- 0033
CREATE TABLE public.contacts (
    person character varying(40) NOT NULL,
    email character varying(254),
    confirmed boolean NOT NULL,
    webhook text,
    zone character varying(64) NOT NULL,
    language character varying(10) NOT NULL,
    off text NOT NULL,
    polled bigint NOT NULL,
    quiet_from integer,
    quiet_until integer,
    author character varying(40)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.contributions (
    match character varying(40) NOT NULL,
    seat integer NOT NULL,
    text character varying(200) NOT NULL,
    source character varying(10) NOT NULL,
    commitment character varying(64) NOT NULL,
    nonce character varying(64) NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.host_commands (
    match character varying(40) NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    kind character varying(20) NOT NULL,
    who character varying(10) NOT NULL,
    data text NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.invitations (
    match character varying(40) NOT NULL,
    code character varying(8) NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.keys (
    name character varying(40) NOT NULL,
    value text NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.mail_refusals (
    address bytea NOT NULL,
    at bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.matches (
    id character varying(40) NOT NULL,
    game character varying(80) NOT NULL,
    rules_version character varying(40) NOT NULL,
    seat_count integer NOT NULL,
    options text NOT NULL,
    seed text NOT NULL,
    seed_chosen boolean NOT NULL,
    title character varying(80) NOT NULL,
    created bigint NOT NULL,
    finished bigint,
    cards text,
    deadline bigint,
    held text,
    host character varying(40),
    host_token bytea,
    paused bigint,
    time_left bigint,
    started bigint,
    host_name character varying(40),
    settings json DEFAULT '{}'::json NOT NULL
);
-- 0029 0030
CREATE TABLE public.notices (
    mark character varying(100) NOT NULL,
    person character varying(40) NOT NULL,
    way character varying(10) NOT NULL,
    kind character varying(10) NOT NULL,
    title text NOT NULL,
    text text NOT NULL,
    link text NOT NULL,
    made bigint NOT NULL,
    due bigint NOT NULL,
    tries integer NOT NULL,
    sent bigint
);
-- 0031 0032 0033
CREATE TABLE public.notices (
    mark character varying(100) NOT NULL,
    person character varying(40) NOT NULL,
    way character varying(10) NOT NULL,
    kind character varying(10) NOT NULL,
    title text NOT NULL,
    text text NOT NULL,
    link text NOT NULL,
    made bigint NOT NULL,
    due bigint NOT NULL,
    tries integer NOT NULL,
    sent bigint,
    until bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.outbox (
    match character varying(40) NOT NULL,
    person character varying(40) NOT NULL,
    kind character varying(10) NOT NULL,
    way character varying(10) NOT NULL,
    mark character varying(60) NOT NULL,
    made bigint NOT NULL,
    due bigint NOT NULL,
    tries integer NOT NULL,
    sent bigint
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.passkeys (
    id character varying(1400) NOT NULL,
    account character varying(40) NOT NULL,
    public_key bytea NOT NULL,
    uses bigint NOT NULL,
    label character varying(40) NOT NULL,
    created bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.plies (
    match character varying(40) NOT NULL,
    ply integer NOT NULL,
    seat integer NOT NULL,
    action text NOT NULL,
    at bigint NOT NULL,
    by_clock boolean DEFAULT false NOT NULL,
    seal character varying(64),
    nonce character varying(64)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.premoves (
    match character varying(40) NOT NULL,
    seat integer NOT NULL,
    owner character varying(64) NOT NULL,
    text text NOT NULL,
    outcome text
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.push_devices (
    id character varying(64) NOT NULL,
    person character varying(40) NOT NULL,
    endpoint text NOT NULL,
    p256dh character varying(100) NOT NULL,
    auth character varying(40) NOT NULL,
    made bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.ratings (
    match character varying(40) NOT NULL,
    seat integer NOT NULL,
    game character varying(80) NOT NULL,
    player character varying(48) NOT NULL,
    at bigint NOT NULL,
    mean double precision NOT NULL,
    deviation double precision NOT NULL,
    old_mean double precision NOT NULL,
    old_deviation double precision NOT NULL,
    games integer NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.rematches (
    match character varying(40) NOT NULL,
    next character varying(40) NOT NULL,
    seat integer
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.results (
    match character varying(40) NOT NULL,
    seat integer NOT NULL,
    person character varying(40),
    bot character varying(40),
    won double precision,
    payoff double precision,
    points integer
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.rooms (
    match character varying(40) NOT NULL,
    ready text NOT NULL,
    changes integer NOT NULL,
    touched bigint
);
-- 0029 0030 0031
CREATE TABLE public.season_log (
    season character varying(40) NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    author character varying(10) NOT NULL,
    kind character varying(20) NOT NULL,
    data json NOT NULL,
    reason text NOT NULL,
    key character varying(64)
);
-- 0032 0033
CREATE TABLE public.season_keys (
    season character varying(40) NOT NULL,
    author character varying(20) NOT NULL,
    key character varying(64) NOT NULL,
    content character varying(64) NOT NULL
);
-- 0032 0033
CREATE TABLE public.season_log (
    season character varying(40) NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    author character varying(10) NOT NULL,
    kind character varying(20) NOT NULL,
    data json NOT NULL,
    reason text NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.season_people (
    season character varying(40) NOT NULL,
    who character varying(10) NOT NULL,
    holder character varying(40),
    turn integer NOT NULL
);
-- 0029
CREATE TABLE public.season_portraits (
    season character varying(40) NOT NULL,
    who character varying(10) NOT NULL,
    face character varying(7),
    picture bytea,
    mark character varying(16) NOT NULL
);
-- 0030 0031 0032 0033
CREATE TABLE public.season_portraits (
    season character varying(40) NOT NULL,
    who character varying(10) NOT NULL,
    player integer NOT NULL,
    face character varying(7),
    picture bytea,
    mark character varying(16) NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.season_tables (
    match character varying(40) NOT NULL,
    season character varying(40) NOT NULL,
    settled boolean NOT NULL,
    told bigint
);
-- 0029 0030 0031
CREATE TABLE public.season_talk (
    season character varying(40) NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    author character varying(10) NOT NULL,
    kind character varying(20) NOT NULL,
    data json NOT NULL,
    key character varying(64)
);
-- 0032 0033
CREATE TABLE public.season_talk (
    season character varying(40) NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    author character varying(10) NOT NULL,
    kind character varying(20) NOT NULL,
    data json NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.season_templates (
    id character varying(40) NOT NULL,
    created bigint NOT NULL,
    holder character varying(40) NOT NULL,
    club character varying(40),
    name character varying(80) NOT NULL,
    data json NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.seasons (
    id character varying(40) NOT NULL,
    created bigint NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.seat_devices (
    match character varying(40) NOT NULL,
    seat integer NOT NULL,
    holder character varying(40) NOT NULL,
    owner character varying(40) NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.seats (
    match character varying(40) NOT NULL,
    seat integer NOT NULL,
    kind character varying(10) NOT NULL,
    name character varying(40),
    bot character varying(40),
    holder character varying(40),
    token_hash bytea,
    stand_in character varying(40),
    colour integer,
    face character varying(7)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.secrets (
    match character varying(40) NOT NULL,
    secret character varying(64) NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.table_contacts (
    match character varying(40) NOT NULL,
    person character varying(40) NOT NULL,
    webhook text,
    off text NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.tournament_log (
    tournament character varying(40) NOT NULL,
    number integer NOT NULL,
    at bigint NOT NULL,
    author character varying(10) NOT NULL,
    kind character varying(20) NOT NULL,
    data json NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.tournament_people (
    tournament character varying(40) NOT NULL,
    who character varying(10) NOT NULL,
    holder character varying(40) NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.tournament_tables (
    match character varying(40) NOT NULL,
    tournament character varying(40) NOT NULL,
    settled boolean NOT NULL
);
-- 0029 0030 0031 0032 0033
CREATE TABLE public.tournaments (
    id character varying(40) NOT NULL,
    created bigint NOT NULL,
    due bigint
);
-- 0029 0030 0031 0032 0033
INSERT INTO public.accounts (id, name, key, holder, password, email, created, looks, owner) VALUES ('a1', 'Anna', 'anna', 'anna', NULL, NULL, 1, 'anna', NULL);
-- 0029 0030 0031 0032 0033
INSERT INTO public.accounts (id, name, key, holder, password, email, created, looks, owner) VALUES ('a2', 'Аnna', 'аnna', 'kyr', NULL, NULL, 2, NULL, NULL);
-- 0029
INSERT INTO public.alembic_version (version_num) VALUES ('0029');
-- 0030
INSERT INTO public.alembic_version (version_num) VALUES ('0030');
-- 0031
INSERT INTO public.alembic_version (version_num) VALUES ('0031');
-- 0032
INSERT INTO public.alembic_version (version_num) VALUES ('0032');
-- 0033
INSERT INTO public.alembic_version (version_num) VALUES ('0033');
-- 0029 0030 0031 0032 0033
INSERT INTO public.club_members (club, holder, member, name, role, since) VALUES ('p', 'ana', 'pana', 'ana', 'owner', 1);
-- 0029 0030 0031 0032
INSERT INTO public.club_members (club, holder, member, name, role, since) VALUES ('p', 'bo', 'pbo', 'bo', 'asked', 1);
-- 0029 0030 0031 0032 0033
INSERT INTO public.club_members (club, holder, member, name, role, since) VALUES ('o', 'ana', 'oana', 'ana', 'owner', 1);
-- 0029 0030 0031 0032 0033
INSERT INTO public.club_members (club, holder, member, name, role, since) VALUES ('o', 'bo', 'obo', 'bo', 'asked', 1);
-- 0029 0030 0031 0032 0033
INSERT INTO public.club_posts (club, number, at, author, text) VALUES ('o', 1, 1, 'ana', 'Hello');
-- 0029 0030 0031 0032 0033
INSERT INTO public.club_posts (club, number, at, author, text) VALUES ('o', 3, 1, 'ana', 'Hello');
-- 0029 0030 0031 0032
INSERT INTO public.clubs (id, created, name, about, door, turn) VALUES ('p', 1, 'Private', '', 'private', 0);
-- 0029 0030 0031 0032
INSERT INTO public.clubs (id, created, name, about, door, turn) VALUES ('o', 1, 'Open', '', 'asked', 0);
-- 0029 0030 0031 0032
INSERT INTO public.contacts (person, email, confirmed, webhook, zone, language, off, polled, quiet_from, quiet_until) VALUES ('club:o', NULL, false, 'https://example.org/', 'UTC', 'en', '[]', 0, NULL, NULL);
-- 0033
INSERT INTO public.clubs (id, created, name, about, door, turn, posts) VALUES ('p', 1, 'Private', '', 'private', 0, 0);
-- 0033
INSERT INTO public.clubs (id, created, name, about, door, turn, posts) VALUES ('o', 1, 'Open', '', 'asked', 0, 3);
-- 0033
INSERT INTO public.contacts (person, email, confirmed, webhook, zone, language, off, polled, quiet_from, quiet_until, author) VALUES ('club:o', NULL, false, 'https://example.org/', 'UTC', 'en', '[]', 0, NULL, NULL, NULL);
-- 0029 0030 0031 0032 0033
INSERT INTO public.matches (id, game, rules_version, seat_count, options, seed, seed_chosen, title, created, finished, cards, deadline, held, host, host_token, paused, time_left, started, host_name, settings) VALUES ('t', 'ponzi-scheme', '1', 3, '{}', '1', false, 'T', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL, '{}');
-- 0029 0030
INSERT INTO public.notices (mark, person, way, kind, title, text, link, made, due, tries, sent) VALUES ('m', 'ana', '', 'turn', 'T', '{}', '/t/t', 0, 5, 0, NULL);
-- 0031 0032 0033
INSERT INTO public.notices (mark, person, way, kind, title, text, link, made, due, tries, sent, until) VALUES ('m', 'ana', '', 'turn', 'T', '{}', '/t/t', 0, 5, 0, NULL, 604800005);
-- 0029 0030 0031
INSERT INTO public.season_log (season, number, at, author, kind, data, reason, key) VALUES ('s', 1, 1, 'h1', 'stood-in', '{"contestant": "c1"}', '', 'key-1');
-- 0029 0030 0031
INSERT INTO public.season_log (season, number, at, author, kind, data, reason, key) VALUES ('s', 2, 1, 'h1', 'stood-in', '{"contestant": "c1"}', '', 'key-2');
-- 0029 0030 0031
INSERT INTO public.season_log (season, number, at, author, kind, data, reason, key) VALUES ('s', 3, 1, 'h1', 'nudged', '{"contestant": "c2"}', '', 'key-3');
-- 0029 0030 0031
INSERT INTO public.season_log (season, number, at, author, kind, data, reason, key) VALUES ('other', 4, 1, 'h1', 'stood-in', '{"contestant": "c2"}', '', 'key-4');
-- 0029
INSERT INTO public.season_portraits (season, who, face, picture, mark) VALUES ('s', 'c1', '0234321', NULL, '');
-- 0029
INSERT INTO public.season_portraits (season, who, face, picture, mark) VALUES ('s', 'c2', '1234321', NULL, '');
-- 0029
INSERT INTO public.season_portraits (season, who, face, picture, mark) VALUES ('s', 'h1', '2234321', NULL, '');
-- 0032 0033
INSERT INTO public.season_log (season, number, at, author, kind, data, reason) VALUES ('s', 1, 1, 'h1', 'stood-in', '{"contestant": "c1"}', '');
-- 0032 0033
INSERT INTO public.season_log (season, number, at, author, kind, data, reason) VALUES ('s', 2, 1, 'h1', 'stood-in', '{"contestant": "c1"}', '');
-- 0032 0033
INSERT INTO public.season_log (season, number, at, author, kind, data, reason) VALUES ('s', 3, 1, 'h1', 'nudged', '{"contestant": "c2"}', '');
-- 0032 0033
INSERT INTO public.season_log (season, number, at, author, kind, data, reason) VALUES ('other', 4, 1, 'h1', 'stood-in', '{"contestant": "c2"}', '');
-- 0030 0031 0032 0033
INSERT INTO public.season_portraits (season, who, player, face, picture, mark) VALUES ('s', 'c1', 2, '0234321', NULL, '');
-- 0030 0031 0032 0033
INSERT INTO public.season_portraits (season, who, player, face, picture, mark) VALUES ('s', 'c2', 0, '1234321', NULL, '');
-- 0030 0031 0032 0033
INSERT INTO public.season_portraits (season, who, player, face, picture, mark) VALUES ('s', 'h1', 0, '2234321', NULL, '');
-- 0029 0030 0031 0032 0033
INSERT INTO public.seasons (id, created) VALUES ('s', 1);
-- 0029 0030 0031 0032 0033
INSERT INTO public.seasons (id, created) VALUES ('other', 1);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT pk_accounts PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.analyses
    ADD CONSTRAINT pk_analyses PRIMARY KEY (match);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT pk_api_tokens PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.blocks
    ADD CONSTRAINT pk_blocks PRIMARY KEY (person, blocked);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.chat_lines
    ADD CONSTRAINT pk_chat_lines PRIMARY KEY (match, number);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.chat_seats
    ADD CONSTRAINT pk_chat_seats PRIMARY KEY (match, seat);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.claims
    ADD CONSTRAINT pk_claims PRIMARY KEY (key);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_events
    ADD CONSTRAINT pk_club_events PRIMARY KEY (kind, event);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_members
    ADD CONSTRAINT pk_club_members PRIMARY KEY (club, holder);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_posts
    ADD CONSTRAINT pk_club_posts PRIMARY KEY (club, number);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_tables
    ADD CONSTRAINT pk_club_tables PRIMARY KEY (match);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.clubs
    ADD CONSTRAINT pk_clubs PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.contacts
    ADD CONSTRAINT pk_contacts PRIMARY KEY (person);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.contributions
    ADD CONSTRAINT pk_contributions PRIMARY KEY (match, seat);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.host_commands
    ADD CONSTRAINT pk_host_commands PRIMARY KEY (match, number);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT pk_invitations PRIMARY KEY (match);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT pk_keys PRIMARY KEY (name);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.mail_refusals
    ADD CONSTRAINT pk_mail_refusals PRIMARY KEY (address);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.matches
    ADD CONSTRAINT pk_matches PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.notices
    ADD CONSTRAINT pk_notices PRIMARY KEY (mark, person, way);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (match, person, kind, way);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT pk_passkeys PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.plies
    ADD CONSTRAINT pk_plies PRIMARY KEY (match, ply);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.premoves
    ADD CONSTRAINT pk_premoves PRIMARY KEY (match, seat);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.push_devices
    ADD CONSTRAINT pk_push_devices PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (match, seat);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.rematches
    ADD CONSTRAINT pk_rematches PRIMARY KEY (match);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.results
    ADD CONSTRAINT pk_results PRIMARY KEY (match, seat);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT pk_rooms PRIMARY KEY (match);
-- 0032 0033
ALTER TABLE ONLY public.season_keys
    ADD CONSTRAINT pk_season_keys PRIMARY KEY (season, author, key);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_log
    ADD CONSTRAINT pk_season_log PRIMARY KEY (season, number);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_people
    ADD CONSTRAINT pk_season_people PRIMARY KEY (season, who);
-- 0029
ALTER TABLE ONLY public.season_portraits
    ADD CONSTRAINT pk_season_portraits PRIMARY KEY (season, who);
-- 0030 0031 0032 0033
ALTER TABLE ONLY public.season_portraits
    ADD CONSTRAINT pk_season_portraits PRIMARY KEY (season, who, player);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_tables
    ADD CONSTRAINT pk_season_tables PRIMARY KEY (match);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_talk
    ADD CONSTRAINT pk_season_talk PRIMARY KEY (season, number);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_templates
    ADD CONSTRAINT pk_season_templates PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT pk_seasons PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.seat_devices
    ADD CONSTRAINT pk_seat_devices PRIMARY KEY (match, seat, holder);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT pk_seats PRIMARY KEY (match, seat);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT pk_secrets PRIMARY KEY (match);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.table_contacts
    ADD CONSTRAINT pk_table_contacts PRIMARY KEY (match, person);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournament_log
    ADD CONSTRAINT pk_tournament_log PRIMARY KEY (tournament, number);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournament_people
    ADD CONSTRAINT pk_tournament_people PRIMARY KEY (tournament, who);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournament_tables
    ADD CONSTRAINT pk_tournament_tables PRIMARY KEY (match);
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT pk_tournaments PRIMARY KEY (id);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_accounts_holder ON public.accounts USING btree (holder);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_accounts_key ON public.accounts USING btree (key);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_accounts_looks ON public.accounts USING btree (looks);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_accounts_owner ON public.accounts USING btree (owner);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_api_tokens_account ON public.api_tokens USING btree (account);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_api_tokens_hash ON public.api_tokens USING btree (hash);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_blocks_blocked ON public.blocks USING btree (blocked);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_club_events_club ON public.club_events USING btree (club);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_club_members_holder ON public.club_members USING btree (holder);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_club_members_member ON public.club_members USING btree (club, member);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_club_members_name ON public.club_members USING btree (club, name);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_club_tables_club ON public.club_tables USING btree (club);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_invitations_code ON public.invitations USING btree (code);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_matches_deadline ON public.matches USING btree (deadline);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_notices_due ON public.notices USING btree (due);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_outbox_due ON public.outbox USING btree (due);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_passkeys_account ON public.passkeys USING btree (account);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_push_devices_person ON public.push_devices USING btree (person);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_ratings_game ON public.ratings USING btree (game, at);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_ratings_player ON public.ratings USING btree (player);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_results_person ON public.results USING btree (person);
-- 0029 0030 0031
CREATE UNIQUE INDEX ix_season_log_key ON public.season_log USING btree (season, key);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_people_holder ON public.season_people USING btree (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_tables_season ON public.season_tables USING btree (season);
-- 0029 0030 0031
CREATE UNIQUE INDEX ix_season_talk_key ON public.season_talk USING btree (season, key);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_templates_club ON public.season_templates USING btree (club);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_templates_holder ON public.season_templates USING btree (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_seat_devices_holder ON public.seat_devices USING btree (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_seat_devices_owner ON public.seat_devices USING btree (owner);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_seats_holder ON public.seats USING btree (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_tournament_people_holder ON public.tournament_people USING btree (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_tournament_tables_tournament ON public.tournament_tables USING btree (tournament);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_tournaments_due ON public.tournaments USING btree (due);
-- 0029 0030 0031 0032 0033
CREATE TRIGGER pyramidion_tell AFTER UPDATE ON public.matches REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.pyramidion_tell_matches();
-- 0029 0030 0031 0032 0033
CREATE TRIGGER pyramidion_tell AFTER INSERT ON public.plies REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.pyramidion_tell_plies();
-- 0029 0030 0031 0032 0033
CREATE TRIGGER pyramidion_tell AFTER UPDATE ON public.seats REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.pyramidion_tell_seats();
-- 0029 0030 0031 0032 0033
CREATE TRIGGER pyramidion_tell_insert AFTER INSERT ON public.premoves REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.pyramidion_tell_premoves();
-- 0029 0030 0031 0032 0033
CREATE TRIGGER pyramidion_tell_update AFTER UPDATE ON public.premoves REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION public.pyramidion_tell_premoves();
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.analyses
    ADD CONSTRAINT fk_analyses_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.api_tokens
    ADD CONSTRAINT fk_api_tokens_account FOREIGN KEY (account) REFERENCES public.accounts(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.chat_lines
    ADD CONSTRAINT fk_chat_lines_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.chat_seats
    ADD CONSTRAINT fk_chat_seats_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_events
    ADD CONSTRAINT fk_club_events_club FOREIGN KEY (club) REFERENCES public.clubs(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_members
    ADD CONSTRAINT fk_club_members_club FOREIGN KEY (club) REFERENCES public.clubs(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_posts
    ADD CONSTRAINT fk_club_posts_club FOREIGN KEY (club) REFERENCES public.clubs(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_tables
    ADD CONSTRAINT fk_club_tables_club FOREIGN KEY (club) REFERENCES public.clubs(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.club_tables
    ADD CONSTRAINT fk_club_tables_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.contributions
    ADD CONSTRAINT fk_contributions_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.host_commands
    ADD CONSTRAINT fk_host_commands_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT fk_invitations_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT fk_outbox_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT fk_passkeys_account FOREIGN KEY (account) REFERENCES public.accounts(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.plies
    ADD CONSTRAINT fk_plies_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.premoves
    ADD CONSTRAINT fk_premoves_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT fk_ratings_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.rematches
    ADD CONSTRAINT fk_rematches_match_matches FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.results
    ADD CONSTRAINT fk_results_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.rooms
    ADD CONSTRAINT fk_rooms_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0032 0033
ALTER TABLE ONLY public.season_keys
    ADD CONSTRAINT fk_season_keys_season FOREIGN KEY (season) REFERENCES public.seasons(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_log
    ADD CONSTRAINT fk_season_log_season FOREIGN KEY (season) REFERENCES public.seasons(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_people
    ADD CONSTRAINT fk_season_people_season FOREIGN KEY (season) REFERENCES public.seasons(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_portraits
    ADD CONSTRAINT fk_season_portraits_season FOREIGN KEY (season) REFERENCES public.seasons(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_tables
    ADD CONSTRAINT fk_season_tables_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_tables
    ADD CONSTRAINT fk_season_tables_season FOREIGN KEY (season) REFERENCES public.seasons(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.season_talk
    ADD CONSTRAINT fk_season_talk_season FOREIGN KEY (season) REFERENCES public.seasons(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.seat_devices
    ADD CONSTRAINT fk_seat_devices_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT fk_secrets_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.table_contacts
    ADD CONSTRAINT fk_table_contacts_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournament_log
    ADD CONSTRAINT fk_tournament_log_tournament FOREIGN KEY (tournament) REFERENCES public.tournaments(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournament_people
    ADD CONSTRAINT fk_tournament_people_tournament FOREIGN KEY (tournament) REFERENCES public.tournaments(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournament_tables
    ADD CONSTRAINT fk_tournament_tables_match FOREIGN KEY (match) REFERENCES public.matches(id) ON DELETE CASCADE;
-- 0029 0030 0031 0032 0033
ALTER TABLE ONLY public.tournament_tables
    ADD CONSTRAINT fk_tournament_tables_tournament FOREIGN KEY (tournament) REFERENCES public.tournaments(id) ON DELETE CASCADE;
