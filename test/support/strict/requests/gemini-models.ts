/** Thinking levels, signatures that are demanded, media in function responses, ids of calls. */
export const isGemini3 = (model: string): boolean => !/gemini-[12]/.test(model)
