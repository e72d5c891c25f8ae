import { useState } from 'react'
import { useAction } from '../../../gateway/queries.ts'

/** Closing forgets the key. */
export function useRevealedKey(id: number) {
  const reveal = useAction('channel.key')
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState<string | null>(null)
  const show = async () => {
    setOpen(true)
    const reply = await reveal.run({ id })
    if (reply) setKey(reply.data.key)
  }
  const close = () => {
    reveal.cancel()
    reveal.reset()
    setKey(null)
    setOpen(false)
  }
  return { isOpen, key, busy: reveal.busy, failure: reveal.failure, show, close }
}
