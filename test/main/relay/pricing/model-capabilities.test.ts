import { describe, expect, test } from 'vitest'
import { ENDPOINT_TYPES } from '../../../../main/adaptor/adaptor.ts'
import { capabilitiesOf } from '../../../../main/relay/pricing/model-capabilities.ts'

const everything = (...names: string[]) => capabilitiesOf(names, ENDPOINT_TYPES)

describe('a model whose channel serves everything can do what its name does not rule out', () => {
  const chat = ['chat', 'completions']

  test.each([
    [['gpt-5.6-sol', 'claude-opus-5-5', 'deepseek-chat', 'llama3.2', 'qwen3:8b', 'my-own'], chat],
    [['gpt-audio', 'gpt-4o-audio-preview', 'qwen-vl-max', 'llava-next-video', 'gemma-3'], chat],
    [['deepseek-ocr', 'grok-4.6', 'jina-deepsearch-v1', 'llama-guard-3', 'phi-4'], chat],
    [
      ['gemini-3.8-flash', 'gemini-2.5-pro', 'models/gemini-flash-latest'],
      [...chat, 'transcription'],
    ],
    [
      ['gemini-2.5-flash-image', 'gpt-5-image', 'gemini-nano-banana-2.1'],
      ['images', ...chat],
    ],
    [['gpt-realtime', 'gpt-4o-realtime-preview', 'gpt-realtime-whisper'], ['realtime']],
    [['gemini-2.0-flash-live-001', 'gemini-2.5-flash-native-audio'], ['realtime']],
    [
      ['text-embedding-3-small', 'text-embedding-ada-002', 'gemini-embedding-001', 'embed-v4.0'],
      ['embeddings'],
    ],
    [['BAAI/bge-m3', 'intfloat/multilingual-e5-large', 'Alibaba/gte-large'], ['embeddings']],
    [['voyage-4-large', 'nomic-embed-text', 'all-minilm', 'mistral-embed'], ['embeddings']],
    [['jina-embeddings-v3', 'jina-clip-v2', 'mxbai-embed-large:latest'], ['embeddings']],
    [['rerank-v4.0-pro', 'BAAI/bge-reranker-v2-m3', 'jina-reranker-v3'], ['rerank']],
    [['rerank-2.5', 'Qwen/Qwen3-Reranker-8B', 'cross-encoder/ms-marco'], ['rerank']],
    [['whisper-1', 'whisper-large-v3', 'gpt-4o-transcribe-diarize'], ['transcription']],
    [['FunAudioLLM/SenseVoiceSmall', 'TeleAI/TeleSpeechASR', 'qwen3-asr-flash'], ['transcription']],
    [['tts-1', 'gpt-4o-mini-tts', 'gemini-2.5-flash-preview-tts', 'playai-tts'], ['speech']],
    [['FunAudioLLM/CosyVoice2-0.5B', 'canopylabs/orpheus-v1-english', 'kokoro'], ['speech']],
    [['dall-e-3', 'gpt-image-2', 'chatgpt-image-latest', 'grok-2-image'], ['images']],
    [['imagen-4.0', 'black-forest-labs/FLUX.1-schnell', 'Qwen/Qwen-Image'], ['images']],
    [['doubao-seedream-4-0', 'Kwai-Kolors/Kolors', 'stable-diffusion-3.5-large'], ['images']],
    [['gpt-3.5-turbo-instruct', 'davinci-002', 'babbage-002'], ['completions']],
    [['sora-2', 'veo-3.1', 'grok-imagine-video', 'wan2.2-t2v', 'doubao-seedance-1-0'], []],
    [['omni-moderation-latest', 'lyria-2'], []],
  ])('%j', (models, expected) => {
    for (const model of models) expect(everything(model), model).toEqual(expected)
  })

  test('Echo can do all of it', () => {
    expect(everything('echo')).toHaveLength(8)
    expect(capabilitiesOf(['echo-mini'], ['openai', 'audio'])).toEqual([
      'chat',
      'completions',
      'speech',
      'transcription',
    ])
  })
})

describe('no model can do', () => {
  test('what its channels do not serve', () => {
    expect(capabilitiesOf(['gpt-image-2'], ['openai', 'audio'])).toEqual([])
    expect(capabilitiesOf(['gemini-2.5-flash-image'], ['openai'])).toEqual(['chat', 'completions'])
    expect(capabilitiesOf(['claude-opus-5-5'], ['anthropic'])).toEqual(['chat', 'completions'])
    expect(capabilitiesOf(['jina-embeddings-v4'], ['embeddings', 'jina-rerank'])).toEqual([
      'embeddings',
    ])
    expect(capabilitiesOf(['gpt-5.6'], [])).toEqual([])
  })

  test('less for a mapped name: the upstream’s counts, then the mapped one', () => {
    expect(everything('text-embedding-3-large', 'fast')).toEqual(['embeddings'])
    expect(everything('my-deployment', 'text-embedding-3-large')).toEqual(['embeddings'])
    expect(everything('whisper-1', 'chat-tts')).toEqual(['transcription'])
  })
})
