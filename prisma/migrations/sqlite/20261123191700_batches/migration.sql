-- CreateTable
CREATE TABLE "batches" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "operation" TEXT NOT NULL,
    "given" TEXT NOT NULL DEFAULT '{}',
    "made_by" TEXT NOT NULL,
    "address" TEXT,
    "request_id" TEXT,
    "total" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "finished_at" DATETIME,
    "stopped" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "batch_items" (
    "batch_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "given" TEXT,
    "outcome" TEXT,
    "reason" TEXT,

    PRIMARY KEY ("batch_id", "position"),
    CONSTRAINT "batch_items_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "batches_next_at_idx" ON "batches"("next_at");

-- CreateIndex
CREATE INDEX "batches_finished_at_idx" ON "batches"("finished_at");

-- CreateIndex
CREATE INDEX "batch_items_batch_id_outcome_position_idx" ON "batch_items"("batch_id", "outcome", "position");
