import { Anchor, Modal, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DownloadButton } from '../run/download-button.tsx'
import { useObjectUrl } from '../run/use-object-url.ts'
import type { Picture } from './image-task.ts'
import styles from './picture.module.css'

interface PictureCardProps {
  picture: Picture
  /** From 1. */
  number: number
}

/** A remote image is linked, not fetched. */
export function PictureCard({ picture, number }: PictureCardProps) {
  const { t } = useTranslation()
  const [opened, large] = useDisclosure(false)
  const url = useObjectUrl(picture.blob)
  const [isBroken, setBroken] = useState(false)
  const name = t('tasks.picture', { number })
  const description = picture.revisedPrompt ?? picture.prompt

  return (
    <figure className={styles.card}>
      {isBroken && <Text role="alert">{t('tasks.brokenPicture')}</Text>}
      {url && !isBroken && (
        <>
          <UnstyledButton
            className={styles.frame}
            onClick={large.open}
            aria-label={t('tasks.enlarge', { name })}
          >
            <img src={url} alt={description} onError={() => setBroken(true)} />
          </UnstyledButton>
          <Modal
            opened={opened}
            onClose={large.close}
            size="auto"
            title={name}
            closeButtonProps={{ 'aria-label': t('common.close') }}
          >
            <img className={styles.large} src={url} alt={description} />
          </Modal>
        </>
      )}
      {picture.address && (
        <Text>
          {t('tasks.pictureElsewhere')}{' '}
          <Anchor href={picture.address} target="_blank" rel="noreferrer" inherit>
            {t('tasks.openPicture')}
          </Anchor>
        </Text>
      )}
      <figcaption className={styles.caption}>
        <span>{picture.revisedPrompt}</span>
        {picture.blob && (
          <DownloadButton blob={picture.blob} name={`image-${number}.${picture.extension}`} />
        )}
      </figcaption>
    </figure>
  )
}
