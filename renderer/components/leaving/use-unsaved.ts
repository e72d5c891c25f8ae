import { createContext, useContext, useEffect, useState } from 'react'

export interface UnsavedForm {
  /** Closing its drawer would lose the edits. */
  isInDrawer: boolean
}

/** The forms with edits, each by an object of its own. */
export const UnsavedForms = createContext<Set<UnsavedForm>>(new Set())

/** Those of the drawer around; null outside drawers. */
export const DrawerForms = createContext<Set<UnsavedForm> | null>(null)

/** While `isEdited`, leaving the page or closing the drawer asks first. */
export function useUnsaved(isEdited: boolean): void {
  const forms = useContext(UnsavedForms)
  const inDrawer = useContext(DrawerForms)
  useEffect(() => {
    if (!isEdited) return
    const form = { isInDrawer: inDrawer !== null }
    forms.add(form)
    inDrawer?.add(form)
    return () => {
      forms.delete(form)
      inDrawer?.delete(form)
    }
  }, [forms, inDrawer, isEdited])
}

/** `useUnsaved` for a form whose draft differs from the one it began with. */
export function useUnsavedDraft(draft: object): void {
  const now = JSON.stringify(draft)
  const [first] = useState(now)
  useUnsaved(now !== first)
}
