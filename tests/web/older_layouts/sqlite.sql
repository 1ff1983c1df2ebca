-- Databases of the schemas 0029 to 0033. The line before a statement names those that it belongs to.
-- 0029 0030 0031 0032 0033
CREATE TABLE accounts (
	id VARCHAR(40) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	"key" VARCHAR(160) NOT NULL, 
	holder VARCHAR(40) NOT NULL, 
	password TEXT, 
	email VARCHAR(254), 
	created BIGINT NOT NULL, looks VARCHAR(160), owner VARCHAR(40), 
	CONSTRAINT pk_accounts PRIMARY KEY (id)
);
-- 0029 0030 0031 0032 0033
INSERT INTO "accounts" VALUES('a1','Anna','anna','anna',NULL,NULL,1,'anna',NULL);
-- 0029 0030 0031 0032 0033
INSERT INTO "accounts" VALUES('a2','Аnna','аnna','kyr',NULL,NULL,2,NULL,NULL);
-- 0029 0030 0031 0032 0033
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
-- 0029
INSERT INTO "alembic_version" VALUES('0029');
-- 0030
INSERT INTO "alembic_version" VALUES('0030');
-- 0031
INSERT INTO "alembic_version" VALUES('0031');
-- 0032
INSERT INTO "alembic_version" VALUES('0032');
-- 0033
INSERT INTO "alembic_version" VALUES('0033');
-- 0029 0030 0031 0032 0033
CREATE TABLE analyses (
	"match" VARCHAR(40) NOT NULL, 
	made BIGINT NOT NULL, 
	result TEXT NOT NULL, 
	CONSTRAINT pk_analyses PRIMARY KEY ("match"), 
	CONSTRAINT fk_analyses_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE api_tokens (
	id VARCHAR(40) NOT NULL, 
	account VARCHAR(40) NOT NULL, 
	hash BLOB NOT NULL, 
	scopes VARCHAR(80) NOT NULL, 
	created BIGINT NOT NULL, 
	CONSTRAINT pk_api_tokens PRIMARY KEY (id), 
	CONSTRAINT fk_api_tokens_account FOREIGN KEY(account) REFERENCES accounts (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE blocks (
	person VARCHAR(40) NOT NULL, 
	blocked VARCHAR(40) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_blocks PRIMARY KEY (person, blocked)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE chat_lines (
	"match" VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	id VARCHAR(22) NOT NULL, 
	at BIGINT NOT NULL, 
	seat INTEGER, 
	name VARCHAR(40), 
	text TEXT NOT NULL, 
	readers INTEGER, 
	removed BOOLEAN NOT NULL, role VARCHAR(10) DEFAULT 'player' NOT NULL, 
	CONSTRAINT pk_chat_lines PRIMARY KEY ("match", number), 
	CONSTRAINT fk_chat_lines_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE chat_seats (
	"match" VARCHAR(40) NOT NULL, 
	seat INTEGER NOT NULL, 
	seen INTEGER NOT NULL, 
	since INTEGER NOT NULL, 
	notes TEXT NOT NULL, 
	looked BIGINT NOT NULL, read TEXT DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_chat_seats PRIMARY KEY ("match", seat), 
	CONSTRAINT fk_chat_seats_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE claims (
	"key" VARCHAR(80) NOT NULL, 
	server VARCHAR(40) NOT NULL, 
	until BIGINT NOT NULL, 
	CONSTRAINT pk_claims PRIMARY KEY ("key")
);
-- 0029 0030 0031 0032 0033
CREATE TABLE club_events (
	kind VARCHAR(10) NOT NULL, 
	event VARCHAR(40) NOT NULL, 
	club VARCHAR(40) NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_club_events PRIMARY KEY (kind, event), 
	CONSTRAINT fk_club_events_club FOREIGN KEY(club) REFERENCES clubs (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE club_members (
	club VARCHAR(40) NOT NULL, 
	holder VARCHAR(40) NOT NULL, 
	member VARCHAR(40) NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	role VARCHAR(10) NOT NULL, 
	since BIGINT NOT NULL, 
	CONSTRAINT pk_club_members PRIMARY KEY (club, holder), 
	CONSTRAINT fk_club_members_club FOREIGN KEY(club) REFERENCES clubs (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
INSERT INTO "club_members" VALUES('p','ana','pana','ana','owner',1);
-- 0029 0030 0031 0032
INSERT INTO "club_members" VALUES('p','bo','pbo','bo','asked',1);
-- 0029 0030 0031 0032 0033
INSERT INTO "club_members" VALUES('o','ana','oana','ana','owner',1);
-- 0029 0030 0031 0032 0033
INSERT INTO "club_members" VALUES('o','bo','obo','bo','asked',1);
-- 0029 0030 0031 0032 0033
CREATE TABLE club_posts (
	club VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	author VARCHAR(40) NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_club_posts PRIMARY KEY (club, number), 
	CONSTRAINT fk_club_posts_club FOREIGN KEY(club) REFERENCES clubs (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
INSERT INTO "club_posts" VALUES('o',1,1,'ana','Hello');
-- 0029 0030 0031 0032 0033
INSERT INTO "club_posts" VALUES('o',3,1,'ana','Hello');
-- 0029 0030 0031 0032 0033
CREATE TABLE club_tables (
	"match" VARCHAR(40) NOT NULL, 
	club VARCHAR(40) NOT NULL, 
	CONSTRAINT pk_club_tables PRIMARY KEY ("match"), 
	CONSTRAINT fk_club_tables_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_club_tables_club FOREIGN KEY(club) REFERENCES clubs (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032
CREATE TABLE clubs (
	id VARCHAR(40) NOT NULL, 
	created BIGINT NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	about TEXT NOT NULL, 
	door VARCHAR(10) NOT NULL, 
	turn INTEGER NOT NULL, 
	CONSTRAINT pk_clubs PRIMARY KEY (id)
);
-- 0029 0030 0031 0032
INSERT INTO "clubs" VALUES('p',1,'Private','','private',0);
-- 0029 0030 0031 0032
INSERT INTO "clubs" VALUES('o',1,'Open','','asked',0);
-- 0029 0030 0031 0032
CREATE TABLE contacts (
	person VARCHAR(40) NOT NULL, 
	email VARCHAR(254), 
	confirmed BOOLEAN NOT NULL, 
	webhook TEXT, 
	zone VARCHAR(64) NOT NULL, 
	language VARCHAR(10) NOT NULL, 
	off TEXT NOT NULL, 
	polled BIGINT NOT NULL, quiet_from INTEGER, quiet_until INTEGER, 
	CONSTRAINT pk_contacts PRIMARY KEY (person)
);
-- 0029 0030 0031 0032
INSERT INTO "contacts" VALUES('club:o',NULL,0,'https://example.org/','UTC','en','[]',0,NULL,NULL);
-- 0033
CREATE TABLE "clubs" (
	id VARCHAR(40) NOT NULL, 
	created BIGINT NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	about TEXT NOT NULL, 
	door VARCHAR(10) NOT NULL, 
	turn INTEGER NOT NULL, 
	posts INTEGER NOT NULL, 
	CONSTRAINT pk_clubs PRIMARY KEY (id)
);
-- 0033
INSERT INTO "clubs" VALUES('p',1,'Private','','private',0,0);
-- 0033
INSERT INTO "clubs" VALUES('o',1,'Open','','asked',0,3);
-- 0033
CREATE TABLE contacts (
	person VARCHAR(40) NOT NULL, 
	email VARCHAR(254), 
	confirmed BOOLEAN NOT NULL, 
	webhook TEXT, 
	zone VARCHAR(64) NOT NULL, 
	language VARCHAR(10) NOT NULL, 
	off TEXT NOT NULL, 
	polled BIGINT NOT NULL, quiet_from INTEGER, quiet_until INTEGER, author VARCHAR(40), 
	CONSTRAINT pk_contacts PRIMARY KEY (person)
);
-- 0033
INSERT INTO "contacts" VALUES('club:o',NULL,0,'https://example.org/','UTC','en','[]',0,NULL,NULL,NULL);
-- 0029 0030 0031 0032 0033
CREATE TABLE contributions (
	"match" VARCHAR(40) NOT NULL, 
	seat INTEGER NOT NULL, 
	text VARCHAR(200) NOT NULL, 
	source VARCHAR(10) NOT NULL, 
	commitment VARCHAR(64) NOT NULL, 
	nonce VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_contributions PRIMARY KEY ("match", seat), 
	CONSTRAINT fk_contributions_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE "host_commands" (
	"match" VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	who VARCHAR(10) NOT NULL, 
	data TEXT NOT NULL, 
	CONSTRAINT pk_acts PRIMARY KEY ("match", number), 
	CONSTRAINT fk_acts_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE invitations (
	"match" VARCHAR(40) NOT NULL, 
	code VARCHAR(8) NOT NULL, 
	CONSTRAINT pk_invitations PRIMARY KEY ("match"), 
	CONSTRAINT fk_invitations_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE keys (
	name VARCHAR(40) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_keys PRIMARY KEY (name)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE mail_refusals (
	address BLOB NOT NULL, 
	at BIGINT NOT NULL, 
	CONSTRAINT pk_mail_refusals PRIMARY KEY (address)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE matches (
	id VARCHAR(40) NOT NULL, 
	game VARCHAR(80) NOT NULL, 
	rules_version VARCHAR(40) NOT NULL, 
	seat_count INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	seed TEXT NOT NULL, 
	seed_chosen BOOLEAN NOT NULL, 
	title VARCHAR(80) NOT NULL, 
	created BIGINT NOT NULL, 
	finished BIGINT, 
	cards TEXT, deadline BIGINT, held TEXT, host VARCHAR(40), host_token BLOB, paused BIGINT, time_left BIGINT, started BIGINT, host_name VARCHAR(40), settings JSON DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_matches PRIMARY KEY (id)
);
-- 0029 0030 0031 0032 0033
INSERT INTO "matches" VALUES('t','ponzi-scheme','1',3,'{}','1',0,'T',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,'{}');
-- 0029 0030
CREATE TABLE notices (
	mark VARCHAR(100) NOT NULL, 
	person VARCHAR(40) NOT NULL, 
	way VARCHAR(10) NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	title TEXT NOT NULL, 
	text TEXT NOT NULL, 
	link TEXT NOT NULL, 
	made BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	sent BIGINT, 
	CONSTRAINT pk_notices PRIMARY KEY (mark, person, way)
);
-- 0029 0030
INSERT INTO "notices" VALUES('m','ana','','turn','T','{}','/t/t',0,5,0,NULL);
-- 0031 0032 0033
CREATE TABLE "notices" (
	mark VARCHAR(100) NOT NULL, 
	person VARCHAR(40) NOT NULL, 
	way VARCHAR(10) NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	title TEXT NOT NULL, 
	text TEXT NOT NULL, 
	link TEXT NOT NULL, 
	made BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	sent BIGINT, 
	until BIGINT NOT NULL, 
	CONSTRAINT pk_notices PRIMARY KEY (mark, person, way)
);
-- 0031 0032 0033
INSERT INTO "notices" VALUES('m','ana','','turn','T','{}','/t/t',0,5,0,NULL,604800005);
-- 0029 0030 0031 0032 0033
CREATE TABLE outbox (
	"match" VARCHAR(40) NOT NULL, 
	person VARCHAR(40) NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	way VARCHAR(10) NOT NULL, 
	mark VARCHAR(60) NOT NULL, 
	made BIGINT NOT NULL, 
	due BIGINT NOT NULL, 
	tries INTEGER NOT NULL, 
	sent BIGINT, 
	CONSTRAINT pk_outbox PRIMARY KEY ("match", person, kind, way), 
	CONSTRAINT fk_outbox_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE passkeys (
	id VARCHAR(1400) NOT NULL, 
	account VARCHAR(40) NOT NULL, 
	public_key BLOB NOT NULL, 
	uses BIGINT NOT NULL, 
	label VARCHAR(40) NOT NULL, 
	created BIGINT NOT NULL, 
	CONSTRAINT pk_passkeys PRIMARY KEY (id), 
	CONSTRAINT fk_passkeys_account FOREIGN KEY(account) REFERENCES accounts (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE plies (
	"match" VARCHAR(40) NOT NULL, 
	ply INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	action TEXT NOT NULL, 
	at BIGINT NOT NULL, by_clock BOOLEAN DEFAULT 0 NOT NULL, seal VARCHAR(64), nonce VARCHAR(64), 
	CONSTRAINT pk_plies PRIMARY KEY ("match", ply), 
	CONSTRAINT fk_plies_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
-- 0029 0030 0031 0032 0033
CREATE TABLE "premoves" (
	"match" VARCHAR(40) NOT NULL, 
	seat INTEGER NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	text TEXT NOT NULL, 
	outcome TEXT, 
	CONSTRAINT pk_orders PRIMARY KEY ("match", seat), 
	CONSTRAINT fk_orders_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE push_devices (
	id VARCHAR(64) NOT NULL, 
	person VARCHAR(40) NOT NULL, 
	endpoint TEXT NOT NULL, 
	p256dh VARCHAR(100) NOT NULL, 
	auth VARCHAR(40) NOT NULL, 
	made BIGINT NOT NULL, 
	CONSTRAINT pk_push_devices PRIMARY KEY (id)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE ratings (
	"match" VARCHAR(40) NOT NULL, 
	seat INTEGER NOT NULL, 
	game VARCHAR(80) NOT NULL, 
	player VARCHAR(48) NOT NULL, 
	at BIGINT NOT NULL, 
	mean FLOAT NOT NULL, 
	deviation FLOAT NOT NULL, 
	old_mean FLOAT NOT NULL, 
	old_deviation FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	CONSTRAINT pk_ratings PRIMARY KEY ("match", seat), 
	CONSTRAINT fk_ratings_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE rematches (
	"match" VARCHAR(40) NOT NULL, 
	next VARCHAR(40) NOT NULL, 
	seat INTEGER, 
	CONSTRAINT pk_rematches PRIMARY KEY ("match"), 
	CONSTRAINT fk_rematches_match_matches FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE results (
	"match" VARCHAR(40) NOT NULL, 
	seat INTEGER NOT NULL, 
	person VARCHAR(40), 
	bot VARCHAR(40), 
	won FLOAT, 
	payoff FLOAT, 
	points INTEGER, 
	CONSTRAINT pk_results PRIMARY KEY ("match", seat), 
	CONSTRAINT fk_results_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE rooms (
	"match" VARCHAR(40) NOT NULL, 
	ready TEXT NOT NULL, 
	changes INTEGER NOT NULL, touched BIGINT, 
	CONSTRAINT pk_rooms PRIMARY KEY ("match"), 
	CONSTRAINT fk_rooms_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031
CREATE TABLE season_log (
	season VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	author VARCHAR(10) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	data JSON NOT NULL, 
	reason TEXT NOT NULL, 
	"key" VARCHAR(64), 
	CONSTRAINT pk_season_log PRIMARY KEY (season, number), 
	CONSTRAINT fk_season_log_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0029 0030 0031
INSERT INTO "season_log" VALUES('s',1,1,'h1','stood-in','{"contestant": "c1"}','','key-1');
-- 0029 0030 0031
INSERT INTO "season_log" VALUES('s',2,1,'h1','stood-in','{"contestant": "c1"}','','key-2');
-- 0029 0030 0031
INSERT INTO "season_log" VALUES('s',3,1,'h1','nudged','{"contestant": "c2"}','','key-3');
-- 0029 0030 0031
INSERT INTO "season_log" VALUES('other',4,1,'h1','stood-in','{"contestant": "c2"}','','key-4');
-- 0032 0033
CREATE TABLE season_keys (
	season VARCHAR(40) NOT NULL, 
	author VARCHAR(20) NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	content VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_season_keys PRIMARY KEY (season, author, "key"), 
	CONSTRAINT fk_season_keys_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0032 0033
CREATE TABLE season_log (
	season VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	author VARCHAR(10) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	data JSON NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_season_log PRIMARY KEY (season, number), 
	CONSTRAINT fk_season_log_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0032 0033
INSERT INTO "season_log" VALUES('s',1,1,'h1','stood-in','{"contestant": "c1"}','');
-- 0032 0033
INSERT INTO "season_log" VALUES('s',2,1,'h1','stood-in','{"contestant": "c1"}','');
-- 0032 0033
INSERT INTO "season_log" VALUES('s',3,1,'h1','nudged','{"contestant": "c2"}','');
-- 0032 0033
INSERT INTO "season_log" VALUES('other',4,1,'h1','stood-in','{"contestant": "c2"}','');
-- 0029 0030 0031 0032 0033
CREATE TABLE season_people (
	season VARCHAR(40) NOT NULL, 
	who VARCHAR(10) NOT NULL, 
	holder VARCHAR(40), 
	turn INTEGER NOT NULL, 
	CONSTRAINT pk_season_people PRIMARY KEY (season, who), 
	CONSTRAINT fk_season_people_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0029
CREATE TABLE season_portraits (
	season VARCHAR(40) NOT NULL, 
	who VARCHAR(10) NOT NULL, 
	face VARCHAR(7), 
	picture BLOB, 
	mark VARCHAR(16) NOT NULL, 
	CONSTRAINT pk_season_portraits PRIMARY KEY (season, who), 
	CONSTRAINT fk_season_portraits_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0029
INSERT INTO "season_portraits" VALUES('s','c1','0234321',NULL,'');
-- 0029
INSERT INTO "season_portraits" VALUES('s','c2','1234321',NULL,'');
-- 0029
INSERT INTO "season_portraits" VALUES('s','h1','2234321',NULL,'');
-- 0030 0031 0032 0033
CREATE TABLE season_portraits (
	season VARCHAR(40) NOT NULL, 
	who VARCHAR(10) NOT NULL, 
	player INTEGER NOT NULL, 
	face VARCHAR(7), 
	picture BLOB, 
	mark VARCHAR(16) NOT NULL, 
	CONSTRAINT pk_season_portraits PRIMARY KEY (season, who, player), 
	CONSTRAINT fk_season_portraits_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0030 0031 0032 0033
INSERT INTO "season_portraits" VALUES('s','c1',2,'0234321',NULL,'');
-- 0030 0031 0032 0033
INSERT INTO "season_portraits" VALUES('s','c2',0,'1234321',NULL,'');
-- 0030 0031 0032 0033
INSERT INTO "season_portraits" VALUES('s','h1',0,'2234321',NULL,'');
-- 0029 0030 0031 0032 0033
CREATE TABLE season_tables (
	"match" VARCHAR(40) NOT NULL, 
	season VARCHAR(40) NOT NULL, 
	settled BOOLEAN NOT NULL, told BIGINT, 
	CONSTRAINT pk_season_tables PRIMARY KEY ("match"), 
	CONSTRAINT fk_season_tables_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_season_tables_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0029 0030 0031
CREATE TABLE season_talk (
	season VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	author VARCHAR(10) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	data JSON NOT NULL, 
	"key" VARCHAR(64), 
	CONSTRAINT pk_season_talk PRIMARY KEY (season, number), 
	CONSTRAINT fk_season_talk_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0032 0033
CREATE TABLE season_talk (
	season VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	author VARCHAR(10) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	data JSON NOT NULL, 
	CONSTRAINT pk_season_talk PRIMARY KEY (season, number), 
	CONSTRAINT fk_season_talk_season FOREIGN KEY(season) REFERENCES seasons (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE season_templates (
	id VARCHAR(40) NOT NULL, 
	created BIGINT NOT NULL, 
	holder VARCHAR(40) NOT NULL, 
	club VARCHAR(40), 
	name VARCHAR(80) NOT NULL, 
	data JSON NOT NULL, 
	CONSTRAINT pk_season_templates PRIMARY KEY (id)
);
-- 0029 0030 0031 0032 0033
CREATE TABLE seasons (
	id VARCHAR(40) NOT NULL, 
	created BIGINT NOT NULL, 
	CONSTRAINT pk_seasons PRIMARY KEY (id)
);
-- 0029 0030 0031 0032 0033
INSERT INTO "seasons" VALUES('s',1);
-- 0029 0030 0031 0032 0033
INSERT INTO "seasons" VALUES('other',1);
-- 0029 0030 0031 0032 0033
CREATE TABLE seat_devices (
	"match" VARCHAR(40) NOT NULL, 
	seat INTEGER NOT NULL, 
	holder VARCHAR(40) NOT NULL, 
	owner VARCHAR(40) NOT NULL, 
	CONSTRAINT pk_seat_devices PRIMARY KEY ("match", seat, holder), 
	CONSTRAINT fk_seat_devices_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE seats (
	"match" VARCHAR(40) NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(10) NOT NULL, 
	name VARCHAR(40), 
	bot VARCHAR(40), 
	holder VARCHAR(40), 
	token_hash BLOB, stand_in VARCHAR(40), colour INTEGER, face VARCHAR(7), 
	CONSTRAINT pk_seats PRIMARY KEY ("match", seat), 
	CONSTRAINT fk_seats_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE secrets (
	"match" VARCHAR(40) NOT NULL, 
	secret VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY ("match"), 
	CONSTRAINT fk_secrets_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE table_contacts (
	"match" VARCHAR(40) NOT NULL, 
	person VARCHAR(40) NOT NULL, 
	webhook TEXT, 
	off TEXT NOT NULL, 
	CONSTRAINT pk_table_contacts PRIMARY KEY ("match", person), 
	CONSTRAINT fk_table_contacts_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE tournament_log (
	tournament VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	at BIGINT NOT NULL, 
	author VARCHAR(10) NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	data JSON NOT NULL, 
	CONSTRAINT pk_tournament_log PRIMARY KEY (tournament, number), 
	CONSTRAINT fk_tournament_log_tournament FOREIGN KEY(tournament) REFERENCES tournaments (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE tournament_people (
	tournament VARCHAR(40) NOT NULL, 
	who VARCHAR(10) NOT NULL, 
	holder VARCHAR(40) NOT NULL, 
	CONSTRAINT pk_tournament_people PRIMARY KEY (tournament, who), 
	CONSTRAINT fk_tournament_people_tournament FOREIGN KEY(tournament) REFERENCES tournaments (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE tournament_tables (
	"match" VARCHAR(40) NOT NULL, 
	tournament VARCHAR(40) NOT NULL, 
	settled BOOLEAN NOT NULL, 
	CONSTRAINT pk_tournament_tables PRIMARY KEY ("match"), 
	CONSTRAINT fk_tournament_tables_match FOREIGN KEY("match") REFERENCES matches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_tournament_tables_tournament FOREIGN KEY(tournament) REFERENCES tournaments (id) ON DELETE CASCADE
);
-- 0029 0030 0031 0032 0033
CREATE TABLE tournaments (
	id VARCHAR(40) NOT NULL, 
	created BIGINT NOT NULL, 
	due BIGINT, 
	CONSTRAINT pk_tournaments PRIMARY KEY (id)
);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_seats_holder ON seats (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_matches_deadline ON matches (deadline);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_outbox_due ON outbox (due);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_invitations_code ON invitations (code);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_seat_devices_holder ON seat_devices (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_seat_devices_owner ON seat_devices (owner);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_accounts_key ON accounts ("key");
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_accounts_holder ON accounts (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_passkeys_account ON passkeys (account);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_accounts_looks ON accounts (looks);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_results_person ON results (person);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_ratings_game ON ratings (game, at);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_ratings_player ON ratings (player);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_blocks_blocked ON blocks (blocked);
-- 0029 0030 0031
CREATE UNIQUE INDEX ix_season_log_key ON season_log (season, "key");
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_people_holder ON season_people (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_tables_season ON season_tables (season);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_push_devices_person ON push_devices (person);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_accounts_owner ON accounts (owner);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_api_tokens_account ON api_tokens (account);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_api_tokens_hash ON api_tokens (hash);
-- 0029 0030 0031
CREATE UNIQUE INDEX ix_season_talk_key ON season_talk (season, "key");
-- 0029 0030
CREATE INDEX ix_notices_due ON notices (due);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_tournaments_due ON tournaments (due);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_tournament_people_holder ON tournament_people (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_tournament_tables_tournament ON tournament_tables (tournament);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_club_members_holder ON club_members (holder);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_club_members_member ON club_members (club, member);
-- 0029 0030 0031 0032 0033
CREATE UNIQUE INDEX ix_club_members_name ON club_members (club, name);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_club_events_club ON club_events (club);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_club_tables_club ON club_tables (club);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_templates_holder ON season_templates (holder);
-- 0029 0030 0031 0032 0033
CREATE INDEX ix_season_templates_club ON season_templates (club);
-- 0031 0032 0033
CREATE INDEX ix_notices_due ON notices (due);
