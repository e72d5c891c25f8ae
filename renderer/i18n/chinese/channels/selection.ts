import type { selection as english } from '../../english/channels/selection.ts'

export const selection: typeof english = {
  all: '选择本页全部',
  row: '选择 {{name}}',
  column: '选择',
  bar: '批量操作',
  count_one: '已选 {{count}} 项',
  count_other: '已选 {{count}} 项',
  clear: '清除选择',
}
