-- CreateTable
CREATE TABLE "batches" (
    "id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "given" TEXT NOT NULL DEFAULT '{}',
    "made_by" TEXT NOT NULL,
    "address" TEXT,
    "request_id" TEXT,
    "total" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "stopped" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
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

    CONSTRAINT "batch_items_pkey" PRIMARY KEY ("batch_id","position")
);

-- CreateIndex
CREATE INDEX "batches_next_at_idx" ON "batches"("next_at");

-- CreateIndex
CREATE INDEX "batches_finished_at_idx" ON "batches"("finished_at");

-- CreateIndex
CREATE INDEX "batch_items_batch_id_outcome_position_idx" ON "batch_items"("batch_id", "outcome", "position");

-- AddForeignKey
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;
