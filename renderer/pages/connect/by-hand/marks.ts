/** Stand in texts and steps for what a person chooses. */
export const TOKEN_MARK = '<token>'
export const MODEL_MARK = '<model>'
/** Stands for the gateway's address, where the page was opened over another one than tools here use. */
export const ADDRESS_MARK = '<address>'
