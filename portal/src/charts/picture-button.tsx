import { Image } from 'lucide-react';
import { useState } from 'react';
import controls from '../ui/controls.module.css';
import { PictureDialog } from './picture-dialog';

interface PictureButtonProps {
  readonly kind: 'charts' | 'dashboards';
  readonly id: string;
  readonly title: string;
  /** With words on it, where there is room. */
  readonly isWide?: boolean;
}

/** The picture that the service draws, to keep or to give to others. */
export function PictureButton({ isWide = false, ...pictured }: PictureButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={isWide ? controls.button : controls.icon}
        aria-label={`${pictured.title} as PNG`}
        title="As PNG"
        onClick={() => setOpen(true)}
      >
        <Image size={15} aria-hidden /> {isWide && 'PNG'}
      </button>
      {isOpen && <PictureDialog {...pictured} onClose={() => setOpen(false)} />}
    </>
  );
}
