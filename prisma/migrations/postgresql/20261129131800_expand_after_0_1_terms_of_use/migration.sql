-- CreateTable
CREATE TABLE "terms" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT,
    "texts" TEXT NOT NULL,
    "holds_from" TIMESTAMPTZ(3) NOT NULL,
    "required_from" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "terms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "terms_answers" (
    "user_id" TEXT NOT NULL,
    "terms_id" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "language" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "terms_answers_pkey" PRIMARY KEY ("user_id","terms_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "terms_name_key" ON "terms"("name");

-- CreateIndex
CREATE INDEX "terms_client_id_idx" ON "terms"("client_id");

-- CreateIndex
CREATE INDEX "terms_answers_terms_id_at_user_id_idx" ON "terms_answers"("terms_id", "at", "user_id");

-- AddForeignKey
ALTER TABLE "terms" ADD CONSTRAINT "terms_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "terms_answers" ADD CONSTRAINT "terms_answers_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "terms_answers" ADD CONSTRAINT "terms_answers_terms_id_fkey" FOREIGN KEY ("terms_id") REFERENCES "terms"("id") ON DELETE CASCADE ON UPDATE CASCADE;
