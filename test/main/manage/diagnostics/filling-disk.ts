import { openConfFile } from '../../../../main/store/state/conf-file.ts'

/** A disk for the state's file, which has no room while `isFull`. */
export function fillingDisk() {
  const disk = {
    isFull: false,
    openStateFile(folder: string) {
      const file = openConfFile(folder)
      return {
        path: file.path,
        write(data: Parameters<typeof file.write>[0]) {
          if (disk.isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
          file.write(data)
        },
      }
    },
  }
  return disk
}
