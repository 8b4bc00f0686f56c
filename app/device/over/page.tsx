import { DeviceEnd } from '../end.tsx';

export default function DeviceOverPage() {
  return <DeviceEnd how="over" />;
}
