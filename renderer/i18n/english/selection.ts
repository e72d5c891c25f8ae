export const selection = {
  all: 'Select all on this page',
  row: 'Select {{name}}',
  bar: 'With the selected rows',
  count_one: '{{count}} selected',
  count_other: '{{count}} selected',
  clear: 'Clear selection',
}
