const english = {
  open: 'Open Switchyard',
  copyBaseUrl: 'Copy base URL',
  quit: 'Quit Switchyard',
  cannotStart: 'Switchyard cannot start',
  file: 'File',
  close: 'Close window',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  view: 'View',
  reload: 'Reload',
  developerTools: 'Developer tools',
  actualSize: 'Actual size',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fullScreen: 'Full screen',
  window: 'Window',
  minimize: 'Minimize',
}

export type Words = typeof english

const chinese: Words = {
  open: '打开 Switchyard',
  copyBaseUrl: '复制接口地址',
  quit: '退出 Switchyard',
  cannotStart: 'Switchyard 无法启动',
  file: '文件',
  close: '关闭窗口',
  edit: '编辑',
  undo: '撤销',
  redo: '重做',
  cut: '剪切',
  copy: '复制',
  paste: '粘贴',
  selectAll: '全选',
  view: '视图',
  reload: '重新加载',
  developerTools: '开发者工具',
  actualSize: '实际大小',
  zoomIn: '放大',
  zoomOut: '缩小',
  fullScreen: '全屏',
  window: '窗口',
  minimize: '最小化',
}

/** The words of menu and tray; `locale` is the system's, e.g. `zh-CN`. */
export const wordsOf = (locale: string): Words => (locale.startsWith('zh') ? chinese : english)
