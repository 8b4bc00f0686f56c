-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "username_key" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT,
    "picture" TEXT,
    "claims" TEXT NOT NULL DEFAULT '{}',
    "password_hash" TEXT,
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" DATETIME,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "sessions" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "user_id" TEXT NOT NULL,
    "user_epoch" INTEGER NOT NULL,
    "auth_time" DATETIME NOT NULL,
    "amr" TEXT NOT NULL DEFAULT 'pwd',
    "created_at" DATETIME NOT NULL,
    "last_seen_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "user_agent" TEXT,
    "address" TEXT,
    CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "clients" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "home_page" TEXT,
    "logo" TEXT,
    "privacy_link" TEXT,
    "terms_link" TEXT,
    "type" TEXT NOT NULL,
    "grants" TEXT NOT NULL,
    "scopes" TEXT,
    "require_pkce" BOOLEAN,
    "require_client_auth_on_refresh" BOOLEAN,
    "first_party" BOOLEAN NOT NULL DEFAULT false,
    "resource_server" BOOLEAN NOT NULL DEFAULT false,
    "send_iss" BOOLEAN NOT NULL DEFAULT true,
    "id_token_alg" TEXT NOT NULL DEFAULT 'RS256',
    "access_token_ttl" INTEGER,
    "refresh_token_ttl" INTEGER,
    "refresh_token_max_ttl" INTEGER,
    "backchannel_logout_uri" TEXT,
    "disabled_at" DATETIME,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "client_addresses" (
    "client_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    PRIMARY KEY ("client_id", "kind", "uri"),
    CONSTRAINT "client_addresses_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "client_secrets" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "client_id" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    "last_used_at" DATETIME,
    CONSTRAINT "client_secrets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "scopes" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "description" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "sensitive" BOOLEAN NOT NULL DEFAULT false,
    "created_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "grants" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    "updated_at" DATETIME NOT NULL,
    "last_used_at" DATETIME,
    CONSTRAINT "grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "grants_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "authorization_codes" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "flow_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "session_hash" TEXT,
    "scope" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "redirect_uri_sent" BOOLEAN NOT NULL,
    "state_hash" TEXT,
    "code_challenge" TEXT,
    "nonce" TEXT,
    "claims" TEXT,
    "auth_time" DATETIME NOT NULL,
    "amr" TEXT NOT NULL,
    "user_epoch" INTEGER NOT NULL,
    "client_epoch" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "used_at" DATETIME,
    "family_id" TEXT,
    "keep_until" DATETIME NOT NULL,
    CONSTRAINT "authorization_codes_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "token_families" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT,
    "grant_id" TEXT,
    "session_hash" TEXT,
    "scope" TEXT NOT NULL,
    "nonce" TEXT,
    "claims" TEXT,
    "auth_time" DATETIME,
    "amr" TEXT,
    "user_epoch" INTEGER NOT NULL,
    "client_epoch" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "revoked_at" DATETIME,
    CONSTRAINT "token_families_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "family_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "issued_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    CONSTRAINT "access_tokens_family_id_fkey" FOREIGN KEY ("family_id") REFERENCES "token_families" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "family_id" TEXT NOT NULL,
    "predecessor" TEXT,
    "issued_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "used_at" DATETIME,
    "successor" TEXT,
    "used_scope" TEXT,
    "replay" TEXT,
    "replay_until" DATETIME,
    CONSTRAINT "refresh_tokens_family_id_fkey" FOREIGN KEY ("family_id") REFERENCES "token_families" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "settings" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "revision" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "value" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "throttles" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "failures" INTEGER NOT NULL,
    "window_start" DATETIME NOT NULL,
    "blocked_until" DATETIME NOT NULL,
    "blocks" INTEGER NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "type" TEXT NOT NULL,
    "actor" TEXT,
    "user_id" TEXT,
    "client_id" TEXT,
    "address" TEXT,
    "request_id" TEXT,
    "detail" TEXT NOT NULL DEFAULT '{}'
);

-- CreateTable
CREATE TABLE "leases" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "expires_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key_key" ON "users"("username_key");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key_key" ON "users"("email_key");

-- CreateIndex
CREATE INDEX "users_created_at_idx" ON "users"("created_at");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "clients_created_at_idx" ON "clients"("created_at");

-- CreateIndex
CREATE INDEX "clients_name_idx" ON "clients"("name");

-- CreateIndex
CREATE INDEX "client_secrets_client_id_idx" ON "client_secrets"("client_id");

-- CreateIndex
CREATE INDEX "grants_client_id_idx" ON "grants"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "grants_user_id_client_id_key" ON "grants"("user_id", "client_id");

-- CreateIndex
CREATE UNIQUE INDEX "authorization_codes_flow_id_key" ON "authorization_codes"("flow_id");

-- CreateIndex
CREATE INDEX "authorization_codes_grant_id_idx" ON "authorization_codes"("grant_id");

-- CreateIndex
CREATE INDEX "authorization_codes_keep_until_idx" ON "authorization_codes"("keep_until");

-- CreateIndex
CREATE INDEX "token_families_grant_id_idx" ON "token_families"("grant_id");

-- CreateIndex
CREATE INDEX "token_families_user_id_idx" ON "token_families"("user_id");

-- CreateIndex
CREATE INDEX "token_families_client_id_idx" ON "token_families"("client_id");

-- CreateIndex
CREATE INDEX "token_families_expires_at_idx" ON "token_families"("expires_at");

-- CreateIndex
CREATE INDEX "token_families_revoked_at_idx" ON "token_families"("revoked_at");

-- CreateIndex
CREATE INDEX "access_tokens_family_id_idx" ON "access_tokens"("family_id");

-- CreateIndex
CREATE INDEX "access_tokens_expires_at_idx" ON "access_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_tokens_family_id_idx" ON "refresh_tokens"("family_id");

-- CreateIndex
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "refresh_tokens_replay_until_idx" ON "refresh_tokens"("replay_until");

-- CreateIndex
CREATE INDEX "throttles_window_start_idx" ON "throttles"("window_start");

-- CreateIndex
CREATE INDEX "audit_events_at_idx" ON "audit_events"("at");

-- CreateIndex
CREATE INDEX "audit_events_user_id_at_idx" ON "audit_events"("user_id", "at");

-- CreateIndex
CREATE INDEX "audit_events_client_id_at_idx" ON "audit_events"("client_id", "at");

-- CreateIndex
CREATE INDEX "audit_events_type_at_idx" ON "audit_events"("type", "at");

-- What every server has from the start.
INSERT INTO "revision" ("id", "value") VALUES (1, 1);
INSERT INTO "scopes" ("name", "description", "is_default", "sensitive", "created_at") VALUES
  ('openid', 'Know that it is you who signed in', 0, 0, 1735689600000),
  ('profile', 'See your name, picture and other profile details', 1, 0, 1735689600000),
  ('email', 'See whether your e-mail address is confirmed', 1, 0, 1735689600000),
  ('address', 'See your postal address', 0, 0, 1735689600000),
  ('phone', 'See your phone number', 0, 0, 1735689600000),
  ('offline_access', 'Stay connected while you are away', 0, 0, 1735689600000);
