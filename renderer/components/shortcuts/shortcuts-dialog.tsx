import { Kbd, Modal, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { keyText } from './key-text.ts'
import { shortcutTexts } from './shortcut-texts.ts'
import { shortcutAreas } from './shortcuts.ts'
import styles from './shortcuts-dialog.module.css'

export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('shortcuts.title')}
      size={720}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={styles.areas}>
        {shortcutAreas.map((area) => (
          <section key={area} className={styles.area} aria-labelledby={`shortcuts-${area}`}>
            <Title order={3} id={`shortcuts-${area}`}>
              {t(`shortcuts.area_${area}`)}
            </Title>
            <dl className={styles.list}>
              {shortcutTexts(t, area).map(({ name, text, keys }) => (
                <div key={name} className={styles.line}>
                  <dt>{text}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} size="xs">
                        {keyText(key, t('shortcuts.space'))}
                      </Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
