import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './above-all.module.css'

/** Covers the window, open dialogs too, and takes all clicks and keys; Esc doesn't close it. */
export function AboveAll({ label, children }: { label: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={styles.above}
      aria-label={label}
      // Browsers would let a second Esc close it whatever the first was answered.
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
    >
      {children}
    </dialog>
  )
}
