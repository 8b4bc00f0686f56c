-- CreateTable
CREATE TABLE "directory_people" (
    "directory" TEXT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "dn" TEXT NOT NULL,
    "disabled_by_it" BOOLEAN NOT NULL DEFAULT false,
    "created_at" DATETIME NOT NULL,
    "last_seen_at" DATETIME NOT NULL,

    PRIMARY KEY ("directory", "entry_id"),
    CONSTRAINT "directory_people_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "directory_syncs" (
    "directory" TEXT NOT NULL PRIMARY KEY,
    "started_at" DATETIME NOT NULL,
    "ended_at" DATETIME NOT NULL,
    "outcome" TEXT NOT NULL,
    "detail" TEXT NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "directory_people_user_id_key" ON "directory_people"("user_id");
