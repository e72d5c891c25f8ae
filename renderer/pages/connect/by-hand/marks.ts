/** Stand in texts and steps for what a person chooses. */
export const TOKEN_MARK = '<token>'
export const MODEL_MARK = '<model>'
