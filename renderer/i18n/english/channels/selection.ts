export const selection = {
  all: 'Select all on this page',
  row: 'Select {{name}}',
  column: 'Select',
  bar: 'Bulk actions',
  count_one: '{{count}} selected',
  count_other: '{{count}} selected',
  clear: 'Clear selection',
}
