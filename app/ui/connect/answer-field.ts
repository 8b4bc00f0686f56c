/** The field for the answer to a question of a recipe: set apart from the fields that every app has. */
export const answerField = (question: string) => `answer-${question}`;
