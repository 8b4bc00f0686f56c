-- CreateTable
CREATE TABLE "operator_settings" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "profile" TEXT NOT NULL,
    "fixed" TEXT NOT NULL,
    "started_at" DATETIME NOT NULL
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_revision" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "value" BIGINT NOT NULL
);
INSERT INTO "new_revision" ("id", "value") SELECT "id", "value" FROM "revision";
DROP TABLE "revision";
ALTER TABLE "new_revision" RENAME TO "revision";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
