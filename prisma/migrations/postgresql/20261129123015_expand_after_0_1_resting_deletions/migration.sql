-- CreateTable
CREATE TABLE "deletions" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL,
    "made_by" TEXT NOT NULL,

    CONSTRAINT "deletions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deleted_rows" (
    "deletion_id" TEXT NOT NULL,
    "table_name" TEXT NOT NULL,
    "row_key" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "deleted_rows_pkey" PRIMARY KEY ("deletion_id","table_name","row_key")
);

-- CreateIndex
CREATE INDEX "deletions_deleted_at_idx" ON "deletions"("deleted_at");

-- CreateIndex
CREATE INDEX "deletions_kind_subject_idx" ON "deletions"("kind", "subject");

-- AddForeignKey
ALTER TABLE "deleted_rows" ADD CONSTRAINT "deleted_rows_deletion_id_fkey" FOREIGN KEY ("deletion_id") REFERENCES "deletions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
