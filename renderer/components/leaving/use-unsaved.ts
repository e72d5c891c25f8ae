import { createContext, useContext, useEffect, useState } from 'react'

export interface UnsavedForm {
  /** Closing its drawer would lose the edits. */
  isInDrawer: boolean
  /** Its edits outlive the page: only closing the console or signing out loses them. */
  isKept?: true
  /** Says what would be lost, where that isn't edits. */
  lostText?: string
}

/** The forms with edits, each by an object of its own. */
export const UnsavedForms = createContext<Set<UnsavedForm>>(new Set())

/** Runs what loses all edits of the page, such as signing out; asks first if there are any. */
export const Leave = createContext<(go: () => void) => void>((go) => go())

export const useLeave = () => useContext(Leave)

/** Those of the drawer around; null outside drawers. */
export const DrawerForms = createContext<Set<UnsavedForm> | null>(null)

/** While `isEdited`, leaving the page or closing the drawer asks first; with `isKept` only what ends the console does. */
export function useUnsaved(isEdited: boolean, isKept = false, lostText?: string): void {
  const forms = useContext(UnsavedForms)
  const inDrawer = useContext(DrawerForms)
  useEffect(() => {
    if (!isEdited) return
    const form: UnsavedForm = {
      isInDrawer: inDrawer !== null,
      ...(isKept && { isKept }),
      ...(lostText !== undefined && { lostText }),
    }
    forms.add(form)
    inDrawer?.add(form)
    tellWindow(forms)
    return () => {
      forms.delete(form)
      inDrawer?.delete(form)
      tellWindow(forms)
    }
  }, [forms, inDrawer, isEdited, isKept, lostText])
}

/** The same for a form whose edits outlive its page. */
export function useKeptUnsaved(form: UnsavedForm, isEdited: boolean): void {
  const forms = useContext(UnsavedForms)
  useEffect(() => {
    if (isEdited) forms.add(form)
    else forms.delete(form)
    tellWindow(forms)
  }, [form, forms, isEdited])
}

/** The desktop looks at this before it quits or lets a hidden window go. */
const tellWindow = (forms: ReadonlySet<UnsavedForm>) =>
  document.documentElement.toggleAttribute('data-unsaved', forms.size > 0)

/** `useUnsaved` for a form whose draft differs from the one it began with. */
export function useUnsavedDraft(draft: object): void {
  const now = JSON.stringify(draft)
  const [first] = useState(now)
  useUnsaved(now !== first)
}
