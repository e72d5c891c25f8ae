import { createContext, useContext } from 'react'

/** Opens the dialog of the shortcuts; the shell provides it. */
export const OpenShortcuts = createContext<() => void>(() => {})

export const useOpenShortcuts = () => useContext(OpenShortcuts)
