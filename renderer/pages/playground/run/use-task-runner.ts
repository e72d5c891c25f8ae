import { useSyncExternalStore } from 'react'
import type { StreamName } from '../../../../preload/contract.ts'
import type { GatewayClient } from '../../../gateway/client.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import type { Task } from './task.ts'
import { Workbench, type WorkbenchState } from './task-runner.ts'

const benches = new WeakMap<GatewayClient, Map<unknown, unknown>>()

/** One runner per task and console, kept across visits of the page. */
export function useWorkbench<Name extends StreamName, Draft, Result>(
  task: Task<Name, Draft, Result>,
): [WorkbenchState<Draft, Result>, Workbench<Name, Draft, Result>] {
  const client = useGateway()
  const ofClient = benches.get(client) ?? new Map<unknown, unknown>()
  benches.set(client, ofClient)
  const known = ofClient.get(task) as Workbench<Name, Draft, Result> | undefined
  const bench = known ?? new Workbench(client, task)
  if (!known) ofClient.set(task, bench)
  return [useSyncExternalStore(bench.subscribe, bench.read), bench]
}
