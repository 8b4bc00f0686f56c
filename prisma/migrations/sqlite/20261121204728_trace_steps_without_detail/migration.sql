-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_trace_steps" (
    "trace_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "request_id" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "times" INTEGER NOT NULL,
    "code" TEXT,
    "rule" TEXT,
    "reason" TEXT,
    "received" TEXT,
    "expected" TEXT NOT NULL DEFAULT '[]',

    PRIMARY KEY ("trace_id", "key"),
    CONSTRAINT "trace_steps_trace_id_fkey" FOREIGN KEY ("trace_id") REFERENCES "traces" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_trace_steps" ("at", "code", "expected", "key", "outcome", "reason", "received", "request_id", "rule", "step", "times", "trace_id") SELECT "at", "code", "expected", "key", "outcome", "reason", "received", "request_id", "rule", "step", "times", "trace_id" FROM "trace_steps";
DROP TABLE "trace_steps";
ALTER TABLE "new_trace_steps" RENAME TO "trace_steps";
CREATE INDEX "trace_steps_request_id_idx" ON "trace_steps"("request_id");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
