/** What went wrong, in words for who typed the command. It ends with code 1 and no stack. */
export class Refusal extends Error {}
