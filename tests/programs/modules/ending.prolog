ended("e").
