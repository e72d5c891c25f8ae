import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { CohereClient, CohereClientV2 } from 'cohere-ai'
import OpenAI from 'openai'

/** A gateway, as far as a client needs it. */
interface Place {
  url: string
  key: string
}

/** The vendors' own clients on one gateway. None of them sends a call again by itself. */
export function vendorClients({ url, key }: Place) {
  return {
    openai: new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 }),
    google: new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } }),
    /** Calls `/v1/rerank`. */
    cohereOld: new CohereClient({ token: key, environment: url, maxRetries: 0 }),
    /** Calls `/v2/rerank`. */
    cohere: new CohereClientV2({ token: key, environment: url, maxRetries: 0 }),
  }
}
