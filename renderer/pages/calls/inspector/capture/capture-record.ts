import type { OperationOutput } from '../../../../../preload/contract.ts'

export type CaptureRecord = OperationOutput<'capture.get'>
export type CapturedRequest = CaptureRecord['client']['request']
export type CapturedAnswer = NonNullable<CaptureRecord['client']['answer']>
export type CapturedExchange = CaptureRecord['exchanges'][number]
export type CapturedBody = CapturedRequest['body']
export type CaptureEvents = OperationOutput<'capture.events'>
export type CapturedEvent = CaptureEvents['upstream'][number]
