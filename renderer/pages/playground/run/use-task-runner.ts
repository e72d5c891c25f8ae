import { useEffect, useSyncExternalStore } from 'react'
import type { StreamName } from '../../../../preload/contract.ts'
import type { GatewayClient } from '../../../gateway/client.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { chatStoreOf } from '../chat/desk/chat-store.ts'
import type { Task } from './task.ts'
import { TaskRunner, type TaskState } from './task-runner.ts'

const benches = new WeakMap<GatewayClient, Map<unknown, unknown>>()

/** One runner per task and console, kept across visits of the page. */
export function useTaskRunner<Name extends StreamName, Draft extends object, Result>(
  task: Task<Name, Draft, Result>,
): [TaskState<Draft, Result>, TaskRunner<Name, Draft, Result>] {
  const client = useGateway()
  const ofClient = benches.get(client) ?? new Map<unknown, unknown>()
  benches.set(client, ofClient)
  const known = ofClient.get(task) as TaskRunner<Name, Draft, Result> | undefined
  const runner = known ?? new TaskRunner(client, task)
  if (!known) ofClient.set(task, runner)
  const userId = useOperation('user.self', {}).data?.id
  useEffect(() => {
    if (userId === undefined) return
    void chatStoreOf(client, userId).then((store) => runner.keepIn(store))
  }, [client, runner, userId])
  return [useSyncExternalStore(runner.subscribe, runner.read), runner]
}
