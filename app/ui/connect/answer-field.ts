/**
 * The name of the field for an answer to a recipe's question, distinct from the fields of every
 * app.
 */
export const answerField = (question: string) => `answer-${question}`;
