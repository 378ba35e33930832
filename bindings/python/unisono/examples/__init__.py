"""Sample hosts: ``console`` plays silence, ``mpv`` drives mpv."""
