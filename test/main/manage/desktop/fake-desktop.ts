import type {
  DesktopCapabilities,
  LoginItem,
} from '../../../../main/manage/desktop/desktop-capabilities.ts'

/** A desktop of the test's own: its system keeps what it is told. */
export function createFakeDesktop(
  links: readonly string[] = [],
): DesktopCapabilities & { opened: string[] } {
  let item: LoginItem = {
    supported: true,
    problem: null,
    openAtLogin: false,
    startHidden: null,
    path: '/home/ada/.config/autostart/switchyard.desktop',
  }
  const opened: string[] = []
  return {
    opened,
    readLoginItem: async () => item,
    async writeLoginItem({ openAtLogin, startHidden }) {
      item = { ...item, openAtLogin, startHidden: openAtLogin ? startHidden : null }
    },
    readLink: (id) => links[id - 1] ?? null,
    async openFolder(path) {
      opened.push(path)
      return ''
    },
  }
}
