-- AlterTable
ALTER TABLE "mailed_links" ADD COLUMN "invitee" TEXT;

-- CreateTable
CREATE TABLE "import_drafts" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "made_by" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "import_drafts_created_at_idx" ON "import_drafts"("created_at");
