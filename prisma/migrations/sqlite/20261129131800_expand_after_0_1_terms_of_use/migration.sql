-- CreateTable
CREATE TABLE "terms" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "client_id" TEXT,
    "texts" TEXT NOT NULL,
    "holds_from" DATETIME NOT NULL,
    "required_from" DATETIME NOT NULL,
    "ended_at" DATETIME,
    "created_at" DATETIME NOT NULL,
    CONSTRAINT "terms_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "terms_answers" (
    "user_id" TEXT NOT NULL,
    "terms_id" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "language" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    PRIMARY KEY ("user_id", "terms_id"),
    CONSTRAINT "terms_answers_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "terms_answers_terms_id_fkey" FOREIGN KEY ("terms_id") REFERENCES "terms" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "terms_name_key" ON "terms"("name");

-- CreateIndex
CREATE INDEX "terms_client_id_idx" ON "terms"("client_id");

-- CreateIndex
CREATE INDEX "terms_answers_terms_id_at_user_id_idx" ON "terms_answers"("terms_id", "at", "user_id");
