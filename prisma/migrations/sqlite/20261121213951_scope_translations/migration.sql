-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_scopes" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "description" TEXT NOT NULL,
    "translations" TEXT NOT NULL DEFAULT '{}',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "sensitive" BOOLEAN NOT NULL DEFAULT false,
    "created_at" DATETIME NOT NULL
);
INSERT INTO "new_scopes" ("created_at", "description", "is_default", "name", "sensitive") SELECT "created_at", "description", "is_default", "name", "sensitive" FROM "scopes";
DROP TABLE "scopes";
ALTER TABLE "new_scopes" RENAME TO "scopes";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
