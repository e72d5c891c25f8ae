/** An error for the person who typed the command: ends with code 1 and no stack. */
export class Refusal extends Error {}
